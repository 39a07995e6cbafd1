"""Buttons for legal moves: one for each, or for parts of them first where they are many."""
