"""Leaderboards, podiums, profiles and achievements."""
