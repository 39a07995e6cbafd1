"""The Discord bot: commands, messages and the wiring."""

__version__ = "0.2.0"
"""The only place that names the version; pyproject.toml reads it here."""
