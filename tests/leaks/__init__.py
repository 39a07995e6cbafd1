"""Everything that leaves the bot in a long random run is captured, and searched for what must not leave it."""
