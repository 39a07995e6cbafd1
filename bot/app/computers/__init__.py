"""Computer players: how a move is asked for, when a computer is on turn, and what it answers to offers."""
