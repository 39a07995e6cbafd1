"""Measurements; nothing here passes or fails."""
