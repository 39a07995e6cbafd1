"""Help from the computer players, for one member alone: hints, reviews, lines."""
