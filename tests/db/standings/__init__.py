"""Ratings, leaderboards and profiles in the store, also compared with a plain ladder computed after each step."""
