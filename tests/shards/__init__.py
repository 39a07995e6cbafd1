"""Tests of bot.shards."""
