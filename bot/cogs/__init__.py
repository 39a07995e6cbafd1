"""Slash commands, one cog per subject. Every module here with a `setup` is loaded at start."""
