"""Matches in the database."""
