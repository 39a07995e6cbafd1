"""Laws that hold for every game of the catalogue, and for one that is only a test."""
