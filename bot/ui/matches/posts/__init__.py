"""Posting the boards of matches, changing and deleting old ones, and announcing results."""
