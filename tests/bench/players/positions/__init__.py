"""Solved positions for the yardstick of regret, one JSON line each, and how those of some games are made."""
