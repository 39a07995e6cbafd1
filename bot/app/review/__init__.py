"""Help from the computer players: hints in casual games, reviews of finished games, lines played from a moment."""
