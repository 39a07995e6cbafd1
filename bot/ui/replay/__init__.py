"""Finished games: animations, single positions, the history, records as files."""
