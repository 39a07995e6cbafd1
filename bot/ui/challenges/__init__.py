"""Challenges, lobbies and rematches as messages."""
