"""The computer players of the games, one module or package per game, found by its name."""
