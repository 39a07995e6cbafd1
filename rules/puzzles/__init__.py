"""Puzzles: positions in which exactly one move keeps a win or a draw, proved by the solvers of the computer players."""
