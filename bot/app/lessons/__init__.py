"""Lessons: one member goes through the steps of a game, alone, and is told of each move if it does what is asked."""
