"""Tests of bot.search."""
