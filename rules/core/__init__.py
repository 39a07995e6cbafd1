"""The parts that all games share: the Game contract, matches and records, notation, errors."""
