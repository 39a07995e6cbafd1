"""Finished games: lists of them, and their records as files."""
