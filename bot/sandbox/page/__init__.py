"""The page for members: its files, the calls that it makes, and the events that it follows."""
