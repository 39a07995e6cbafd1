"""Faults of Discord and of the database, injected while games are played: `python -m tests.faults` writes the page."""
