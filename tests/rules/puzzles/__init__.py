"""The stock of puzzles, and its proofs by two routes."""
