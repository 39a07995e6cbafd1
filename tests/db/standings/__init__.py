"""Ratings, leaderboards and profiles compared with a plain ladder that is computed again after every step."""
