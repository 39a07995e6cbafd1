"""Messages that the bot posts without being asked: where it may post, whom it calls, and the names it needs."""
