"""Moments: puzzles that the finished games of a server came to, found in the background."""
