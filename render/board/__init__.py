"""What the picture and the text of a game are made with, and what all games share."""
