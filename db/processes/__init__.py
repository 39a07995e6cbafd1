"""The processes that serve one database: how they share shards and notify each other."""
