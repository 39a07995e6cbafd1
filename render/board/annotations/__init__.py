"""Marks on a board for one reader: advice, candidates for a move, rejected and unfinished moves."""
