"""The shards of Discord's gateway that this process serves: which, how they are connected, and who else serves some."""
