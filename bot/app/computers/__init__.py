"""Computer players: their games, their moves, and their answers to proposals."""
