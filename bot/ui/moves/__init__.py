"""Ways to enter a move, one module each, bound to the kind of prompt and never to a game."""
