"""The processes that serve one database: how they share the shards of the gateway, and what they tell each other."""
