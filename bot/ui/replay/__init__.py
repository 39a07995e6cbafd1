"""Games watched again: animations, positions, history, records as files."""
