"""Matches in the store."""
