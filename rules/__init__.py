"""The referee: the exact rules of all games. It knows nothing of Discord, pictures or databases."""
