"""Tests of the referee, the pictures, the store and the bot."""
