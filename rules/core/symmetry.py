"""Mirror images and rotations of boards, and of whole matches."""

import re
from collections.abc import Callable, Iterator

from rules.core.match import LEAVING, Match
from rules.core.notation import Cell

Turn = Callable[[Cell], Cell]
"""The place of a cell on the board after it was rotated or mirrored."""

TextTurn = Callable[[str], str | None]
"""The text of a move on the board after it was rotated or mirrored; None if that is not known."""

_CELL = re.compile(r"([a-z])([0-9]+)")


def turns(width: int, height: int) -> tuple[Turn, ...]:
    """Return the rotations and reflections of a board, without the one that changes nothing: seven if it is square."""
    right, top = width - 1, height - 1
    found: list[Turn] = [
        lambda cell: Cell(right - cell.column, cell.row),
        lambda cell: Cell(cell.column, top - cell.row),
        lambda cell: Cell(right - cell.column, top - cell.row),
    ]
    if width == height:
        found += [
            lambda cell: Cell(cell.row, cell.column),
            lambda cell: Cell(top - cell.row, cell.column),
            lambda cell: Cell(cell.row, right - cell.column),
            lambda cell: Cell(top - cell.row, right - cell.column),
        ]
    return tuple(found)


def cell_turns(width: int, height: int) -> tuple[TextTurn, ...]:
    """Return the rotations and reflections of a board for moves whose texts are cells, like `c4` or `c4-f7`."""
    return tuple(_of_cells(turn) for turn in turns(width, height))


def _of_cells(turn: Turn) -> TextTurn:
    def turned(found: re.Match[str]) -> str:
        return str(turn(Cell(ord(found[1]) - ord("a"), int(found[2]) - 1)))

    def text_turn(text: str) -> str | None:
        return _CELL.sub(turned, text) if _CELL.match(text) else None

    return text_turn


def images(match: Match) -> Iterator[Match]:
    """Yield a match, and the same match on the board rotated and mirrored in every way that its game knows."""
    for walk in walks(match):
        if len(walk) == len(match.log) + 1:
            yield walk[-1]


def walks(match: Match) -> Iterator[tuple[Match, ...]]:
    """Yield the positions of a match from its start, and those of each of its images as far as they are known."""
    every: tuple[TextTurn, ...] = (str, *match.game.turns(dict(match.setup.options)))
    for turn in every:
        stages = [Match.start(match.game, dict(match.setup.options), match.setup.players)]
        for seat, text in match.log:
            moved = text if seat is None or text in LEAVING else turn(text)
            if moved is None:
                break
            stages.append(stages[-1].play(seat, moved))
        yield tuple(stages)
