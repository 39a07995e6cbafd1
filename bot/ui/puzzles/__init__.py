"""Puzzles in Discord: played by one member alone, shown to others without giving anything away."""
