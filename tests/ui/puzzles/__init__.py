"""Lessons as members see them."""
