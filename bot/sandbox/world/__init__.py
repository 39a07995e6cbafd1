"""Everything that the local Discord keeps: its server, members, channels, messages and interactions."""
