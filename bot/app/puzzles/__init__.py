"""Puzzles: which one is offered, how members play them, and what they have reached."""
