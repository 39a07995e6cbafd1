"""Tests of the moments of finished games."""
