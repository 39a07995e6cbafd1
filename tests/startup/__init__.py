"""Tests of bot.startup."""
