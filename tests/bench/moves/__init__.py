"""A move from the press to the board, measured in processes of its own, beside a bot that does nothing but send."""
