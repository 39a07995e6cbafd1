"""Backups of a database in one file: written while the bot runs, verified, and put back."""
