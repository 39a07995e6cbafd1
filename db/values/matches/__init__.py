"""Matches: played, listed in the history, and their messages on Discord."""
