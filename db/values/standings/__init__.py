"""Ratings, and what is read from them: leaderboards and profiles."""
