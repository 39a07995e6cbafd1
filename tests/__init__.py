"""What holds the referee, the pictures, the store and the bot to their word."""
