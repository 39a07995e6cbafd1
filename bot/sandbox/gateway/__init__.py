"""The gateway: sessions of the bot and the events that they are sent."""
