"""Searches on other machines: the bot asks by way of a queue, and worker processes answer."""
