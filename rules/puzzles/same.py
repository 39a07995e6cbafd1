"""Positions that are the same up to symmetry, so that no puzzle is in the stock twice."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import TypeAlias

from rules.core.match import Match
from rules.core.symmetry import images
from rules.games.alaric import AlaricView
from rules.games.maze.state import MazeView
from rules.players.games.alaric.classes import classifier

Number: TypeAlias = int | Fraction

_HISTORY = ("last", "used", "taken", "writers", "string")
"""The fields of views that tell of the moves before and do not matter for those that follow."""


def likeness(match: Match) -> Hashable:
    """Return a value that two positions share if one is a rotation or reflection of the other.

    Other positions may share it in rare cases, and then one of the two is left out.
    """
    board = match.observe(None).board
    if isinstance(board, AlaricView):
        return _ring(board, match)
    if isinstance(board, MazeView):
        return min(repr(image) for image in _maze(board))
    return min(repr(_unordered(image.observe(None).board)) for image in images(match))


def _unordered(value: object) -> object:
    """Return a view's contents without the order in which they came about."""
    if is_dataclass(value) and not isinstance(value, type):
        return [
            _unordered(getattr(value, field.name)) for field in fields(value) if field.name not in _HISTORY
        ]
    if isinstance(value, tuple | frozenset) and not hasattr(value, "_fields"):
        return sorted((_unordered(item) for item in value), key=repr)
    return value


def _ring(board: AlaricView, match: Match) -> Hashable:
    def of(seat: object) -> int:
        return sum(1 << cell for cell, stone in enumerate(board.stones) if stone == seat)

    mover = match.to_move[0]
    forbidden = sum(1 << cell - 1 for cell in board.forbidden)
    assert mover is not None
    size = len(board.stones)
    return size, classifier(size)(of(mover), of(1 - mover), forbidden)


def _maze(board: MazeView) -> Iterator[object]:
    """Yield a maze rotated and mirrored: its walls and sections, and which of them are unfilled or end the string."""
    size = board.size
    turns: list[Callable[[Number, Number], tuple[Number, Number]]] = [
        lambda x, y: (x, y),
        lambda x, y: (size - x, y),
        lambda x, y: (x, size - y),
        lambda x, y: (size - x, size - y),
        lambda x, y: (y, x),
        lambda x, y: (size - y, x),
        lambda x, y: (y, size - x),
        lambda x, y: (size - y, size - x),
    ]
    end = board.string[-1:] if not board.ended else ()
    for turn in turns:
        sections = sorted(
            (sorted(turn(*corner) for corner in section.corners), section.owner is None, number in end)
            for number, section in enumerate(board.sections, 1)
        )
        walls = sorted(
            sorted(turn(cell.column, cell.row) for cell in (wall.start, wall.end)) for wall in board.walls
        )
        yield [sections, walls]
