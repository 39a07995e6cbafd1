"""The referee: what the games are, exactly. Knows nothing of Discord, pictures or databases."""
