"""Cups as messages."""
