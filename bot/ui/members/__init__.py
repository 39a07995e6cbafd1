"""What one member asks for: help, their games, preferences, privacy; and the settings of a server."""
