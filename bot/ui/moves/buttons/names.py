"""Short names of moves for buttons, without what all of them share."""

from collections.abc import Mapping, Sequence
from functools import singledispatch
from itertools import pairwise

from bot.ui.moves.buttons.directions import ARROWS
from rules.core.notation import Cell, read_cell
from rules.core.prompt import Prompt, SegmentPrompt


@singledispatch
def short_names(prompt: Prompt, moves: Sequence[str], *, chosen: bool = False) -> Mapping[str, str]:
    """Return the name of each of these moves, by its canonical text. `chosen` is True if the member chose a part that
    all of them share."""
    return {move: move for move in moves}


@short_names.register
def _segments(prompt: SegmentPrompt, moves: Sequence[str], *, chosen: bool = False) -> Mapping[str, str]:
    """Lines that share one end are named by the other; one that bends gets arrows for its two directions.

    Lines from side to side have no end that the last move left: there a shared end must be chosen to be known.
    """
    if prompt.sides and not chosen:
        return {move: move for move in moves}
    parts = {move: move.split("-") for move in moves}
    if prompt.bends:
        alike = len({start for start, *_ in parts.values()}) == 1
        names = {move: _bent(places) if alike else move for move, places in parts.items()}
    else:
        shared = set.intersection(*map(set, parts.values()))
        names = {
            move: "-".join(place for place in places if place not in shared) for move, places in parts.items()
        }
    return (
        names
        if all(names.values()) and len(set(names.values())) == len(names)
        else {move: move for move in moves}
    )


def _bent(places: Sequence[str]) -> str:
    """The end of a line, after an arrow for each of its directions if it has two."""
    cells = [read_cell(place, place) for place in places]
    ways = "".join(ARROWS[_way(*leg)] for leg in pairwise(cells)) if len(cells) > 2 else ""
    return f"{ways} {places[-1]}".strip()


def _way(start: Cell, end: Cell) -> tuple[int, int]:
    return _sign(end.column - start.column), _sign(end.row - start.row)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
