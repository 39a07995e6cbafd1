"""The shards of Discord's gateway that this process serves, and their distribution over the processes."""
