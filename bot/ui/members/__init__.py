"""Help, a member's games, preferences and data, and the settings of a server."""
