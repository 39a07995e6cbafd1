"""The Discord bot: commands, panels and the wiring."""
