"""Looking at a whole database without changing it, for the commands of the person who runs the bot."""
