"""The application: everything the bot does, free of Discord, SQL and pictures."""
