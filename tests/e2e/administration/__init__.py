"""The owner of the bot at work, over the wire."""
