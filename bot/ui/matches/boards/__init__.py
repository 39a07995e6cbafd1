"""The board of a match as a message: its picture, lines of text, and controls."""
