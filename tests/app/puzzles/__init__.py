"""Puzzles in the application."""

from rules.puzzles.puzzle import Puzzle


def wrong_move(puzzle: Puzzle, found: int) -> str:
    """Return a move that ends a try after `found` right ones."""
    if puzzle.cards:
        return (
            "arrange " + "".join(sorted(puzzle.line[0].removeprefix("arrange "))) if puzzle.lays else "done"
        )
    return next(text for text in puzzle.after(found).legal() or () if text != puzzle.answers[found])
