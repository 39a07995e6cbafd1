"""A state machine in which members do anything at any time; everything stored is checked after each step."""
