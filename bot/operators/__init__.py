"""Commands for the person who runs the bot (bot.startup.command_line lists them)."""
