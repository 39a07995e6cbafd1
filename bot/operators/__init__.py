"""Commands for the person who runs the bot (bot.command_line lists them)."""
