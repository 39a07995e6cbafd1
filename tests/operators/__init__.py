"""Tests of the commands for the person who runs the bot."""
