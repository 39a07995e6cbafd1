"""What every game shares: the Game contract, matches and records, notation, errors."""
