"""What the bot does, free of Discord, SQL and pictures."""
