"""Puzzles in the application."""
