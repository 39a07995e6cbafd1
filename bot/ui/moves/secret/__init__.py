"""Moves that only their player may see, entered in private messages."""
