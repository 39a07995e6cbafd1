"""Ratings, leaderboards and profiles against a plain ladder that is climbed anew after every step."""
