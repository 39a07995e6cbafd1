"""Skills at puzzles: the puzzle is the opponent, and has a skill of its own."""

from db.rating_math.skill import rate
from db.values.standings import CERTAIN, NEWCOMER, Skill

BY_ONLY_MOVES = (-5.0, -1.0, 3.0, 7.0)
"""The distance of a puzzle's first mean above a newcomer's, in openskill's units: with one only move in a row,
two, three, and more."""


def first_skill(only_moves: int) -> Skill:
    """Return the skill of a puzzle that nobody has tried, by its only moves in a row."""
    above = BY_ONLY_MOVES[min(only_moves, len(BY_ONLY_MOVES)) - 1]
    return Skill(NEWCOMER.mu + above, CERTAIN)


def rate_attempt(solver: Skill, puzzle: Skill, *, solved: bool) -> tuple[Skill, Skill]:
    """Return the skills of a solver and of a puzzle after an attempt."""
    ranks = (1, 2) if solved else (2, 1)
    after, its = rate((solver, puzzle), ranks)
    return after, its
