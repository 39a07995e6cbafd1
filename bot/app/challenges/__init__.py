"""Challenges, lobbies and rematches, until they become matches."""
