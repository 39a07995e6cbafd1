"""Controls by which a member enters a move in a match, in an exercise, or in a line of a review."""
