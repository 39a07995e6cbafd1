"""Computer players in messages: starting a game against one, what they say, and their turns while the bot runs."""
