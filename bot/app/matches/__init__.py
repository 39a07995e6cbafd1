"""Matches: played, sealed, taken back, decided."""
