"""How a game is shown in a channel and how a player is asked for a move."""
