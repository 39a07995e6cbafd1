"""Tests of bot.app.tasks."""
