"""Ratings, leaderboards and profiles in the database."""
