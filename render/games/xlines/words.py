"""X's and Lines as text."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from render.board.line_signs import LINE_SIGNS, RIGHT, Side, side_towards
from render.board.phrases import flowed
from render.board.seats import SEAT_MARKS, who
from render.board.text import Description, board_size, describe, lettered
from rules.core.lattice import between
from rules.core.match import Observation
from rules.core.notation import Cell, letters_of
from rules.games.xlines import Line, XLinesView

AIM = "the last line loses"


def xs_done(view: XLinesView) -> tuple[int, str]:
    """Return the number of x's that are placed, later on the trail, and the word for it."""
    return (len(view.used), "on the trail") if view.lines else (len(view.xs), "placed")


def corners(line: Line) -> tuple[Cell, ...]:
    """Return the ends of a line, with its corner if it has one."""
    return tuple(cell for cell in line if cell is not None)


def note(view: XLinesView) -> str:
    if view.choices or not view.lines:
        return ""
    drew = f"{who((len(view.lines) - 1) % 2)} drew the last line"
    if len(view.used) == view.size:
        return f"{drew}: every x is on the trail"
    return f"{drew}: from {view.pen} no x can be reached"


@describe.register
def words(view: XLinesView, seen: Observation) -> Description:
    return Description(
        lambda: _position(view, seen),
        lambda: _rows(view, seen),
        _SIGNS,
        _move(view),
        note(view),
        verb="drew" if view.lines else "placed",
    )


_SIGNS = {
    "+": "playable",
    ".": "empty",
    "X": "x to draw to",
    "x": "x without a line",
    "*": "x with lines",
    "@": "the pen",
    "─│": "lines",
    SEAT_MARKS[0].letter: SEAT_MARKS[0].word,
    SEAT_MARKS[1].letter: SEAT_MARKS[1].word,
}


def _position(view: XLinesView, seen: Observation) -> tuple[str, ...]:
    size = board_size(view.size, view.size)
    free = [cell for cell in view.xs if cell not in view.used]
    told = []
    if free:
        told.append(f"X's {'without a line' if view.lines else 'placed'}: {', '.join(map(str, free))}.")
    if view.lines:
        lines = (f"{line} ({SEAT_MARKS[number % 2].mark})" for number, line in enumerate(view.lines))
        told.append(f"Lines so far: {', '.join(lines)}.")
        if seen.winners is None:
            told.append(f"{len(view.used)} of {view.size} x's are on the trail; {AIM}.")
    if seen.winners is not None:
        return (*told, size)
    return (_asked(view, seen), *told, size)


def _asked(view: XLinesView, seen: Observation) -> str:
    left = view.size - len(view.xs)
    if left:
        return f"Still to be placed, each on any empty cell: {left} of {view.size} x's. Later, {AIM}."
    if view.pen is None:
        return f"Now the first line: from any x to any other; {AIM}."
    return f"Lines to draw: {', '.join(_lettered(view))}."


def _lettered(view: XLinesView) -> Iterator[str]:
    """Yield the lines that may be drawn, after the letters that they have in the picture and on buttons."""
    lines = [str(line) for line in view.open]
    letters = letters_of(lines)
    yield from (f"{letters[line]} {line}" if letters else line for line in lines)


def _move(view: XLinesView) -> str:
    if view.lines:
        return f"the line {view.lines[-1]}"
    return f"an x on {view.xs[-1]}" if view.xs else ""


def _rows(view: XLinesView, seen: Observation) -> tuple[str, ...]:
    """Return a line for each row of cells, two columns a cell, with lines through them; then lists of lines."""
    links = _links(view.lines)

    def sign(cell: Cell) -> str:
        return _sign(view, seen, cell, links) + ("─" if RIGHT in links.get(cell, ()) else "")

    grid = lettered(view.size, view.size, sign)
    drawn = [f"{SEAT_MARKS[number % 2].letter} {line}" for number, line in enumerate(view.lines)]
    lines = ["", "Drawn:", *flowed(drawn)] if drawn else []
    if seen.winners is None:
        done, deed = xs_done(view)
        lines = ["", f"{done} of {view.size} x's {deed};", AIM, *lines]
    if view.pen is not None and view.open and seen.winners is None:
        lines += ["", "To draw:", *flowed(_lettered(view))]
    return (*grid, *lines)


def _sign(view: XLinesView, seen: Observation, cell: Cell, links: dict[Cell, set[Side]]) -> str:
    if cell == view.pen:
        return "@"
    playable = seen.winners is None and cell in view.choices
    if cell in view.xs:
        return "*" if cell in view.used else "X" if playable else "x"
    if cell in links:
        return LINE_SIGNS[frozenset(links[cell])]
    return "+" if playable else "."


def _links(lines: Sequence[Line]) -> dict[Cell, set[Side]]:
    """Return the sides on which lines leave each cell."""
    links: dict[Cell, set[Side]] = {}
    for line in lines:
        for start, end in pairwise(corners(line)):
            for here, there in pairwise((start, *between(start, end), end)):
                links.setdefault(here, set()).add(side_towards(here, there))
                links.setdefault(there, set()).add(side_towards(there, here))
    return links
