"""Checks of what the bot sends: fields of requests, commands, components, embeds and files."""
