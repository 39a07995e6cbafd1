"""Searches for moves and for moments of games, in processes of this machine."""
