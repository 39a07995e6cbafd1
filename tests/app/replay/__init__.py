"""Tests of bot.app.replay."""
