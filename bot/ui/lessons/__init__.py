"""The way a game is played: pages of pictures, and lessons whose steps a member does alone."""
