"""The drawing engine: scenes of shapes, pixels, colours, type, the hand in a line, hatching. It knows no game."""
