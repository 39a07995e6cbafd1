"""Offers of a draw and requests for a takeback as messages."""
