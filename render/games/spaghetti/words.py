"""Spaghetti as text."""

from collections.abc import Iterator, Sequence

from render.board.phrases import counted, wrapped
from render.board.seats import SEAT_MARKS, who
from render.board.text import Description, describe, lettered
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.notation import Cell, joined, letter
from rules.games.spaghetti import Line, SpaghettiView


def seat_of_line(number: int) -> Seat:
    """Return the seat that drew the line of this number, counted from 0."""
    return (number + 1) % 2


def note(view: SpaghettiView) -> str:
    """Return how many strands each seat crossed at the end, the seat that crossed more first, for the picture."""
    if view.squares or view.choices:
        return ""
    # A seat's crossings are its opponent's points.
    (most, more), (least, less) = sorted(enumerate(reversed(view.points)), key=lambda one: -one[1])
    if more == less:
        return (
            f"{who(0)} and {who(1)} crossed {counted(more, 'strand')} each"
            if more
            else "no strand was crossed"
        )
    return f"{who(most)} crossed {counted(more, 'strand')}, {who(least)} {less}"


def _ending(view: SpaghettiView) -> str:
    """Return why a finished game is over, and the crossings that decided it."""
    crossings = note(view)
    return f"no strand can be drawn any more; {crossings}" if crossings else ""


@describe.register
def words(view: SpaghettiView, seen: Observation) -> Description:
    over = seen.winners is not None
    draw = _squares if len(view.filled) < view.size else _strands
    return Description(
        lambda: _position(view, over),
        lambda: draw(view, over),
        _SIGNS,
        _move(view),
        _ending(view),
        verb="drew" if view.lines else "put",
    )


_SIGNS = {
    "#": "meatball",
    "+": "may be filled",
    ".": "empty",
    SEAT_MARKS[0].letter: f"end of a strand, {SEAT_MARKS[0].word}",
    SEAT_MARKS[1].letter: f"end of a strand, {SEAT_MARKS[1].word}",
    "x": "no strand can end here",
}


def _squares(view: SpaghettiView, over: bool) -> tuple[str, ...]:
    """Return the board while squares are filled: a line for each row of squares."""
    empty = "." if over else "+"
    return lettered(view.size, view.size, lambda square: "#" if square in view.filled else empty)


def _strands(view: SpaghettiView, over: bool) -> tuple[str, ...]:
    """Return the board while lines are drawn: the vertices around the squares, and lists of lines below."""
    size = view.size
    signs = {spot: f"{sign:>2}" for spot, sign in zip(view.spots, _vertices(view, over), strict=True)}
    lines = []
    for row in range(size, -1, -1):
        lines.append(" ".join(signs.get(Cell(column, row), "  ") for column in range(size + 1)))
        if row:
            balls = ("##" if Cell(column, row - 1) in view.filled else "  " for column in range(size))
            lines.append("  " + " ".join(balls))
    for seat in (0, 1):
        drawn = " ".join(map(str, view.lines[1 - seat :: 2]))
        lines += wrapped(f"{SEAT_MARKS[seat].letter} {drawn}")
    if not over and len(view.choices) <= _LISTED:
        lines += wrapped(f"can be drawn: {' '.join(map(str, view.choices))}")
    return tuple(lines)


_LISTED = 36
"""The most lines that may be drawn if they are listed."""


def _vertices(view: SpaghettiView, over: bool) -> Iterator[str]:
    """Yield a sign for each vertex.

    The sign is the letter of the seat whose line ends there, the vertex's number if a line can end there, or an x.
    """
    owners = {end: seat_of_line(number) for number, line in enumerate(view.lines) for end in line}
    able = {end for line in view.choices for end in line}
    for vertex in range(1, len(view.spots) + 1):
        if vertex in owners:
            yield SEAT_MARKS[owners[vertex]].letter
        else:
            yield str(vertex) if vertex in able or over else "x"


def _position(view: SpaghettiView, over: bool) -> tuple[str, ...]:
    size = view.size
    told = []
    if not over and view.squares:
        told.append(f"{counted(size - len(view.filled), 'square')} still to be filled.")
    told.append(f"Meatballs: {joined([str(square) for square in view.filled]) or 'none'}.")
    if view.lines:
        for seat in (0, 1):
            drawn = ", ".join(map(str, view.lines[1 - seat :: 2])) or "none"
            told.append(f"Strands of {who(seat)}: {drawn}.")
    if not over and view.choices:
        told.append(_able(view.choices))
    told.append(
        f"{size} by {size} squares a1 to {letter(size - 1)}{size}; points of the rim 1 to {4 * size} clockwise from"
        f" the top left: {size + 1} top right, {2 * size + 1} bottom right, {3 * size + 1} bottom left."
    )
    return tuple(told)


def _able(choices: Sequence[Line]) -> str:
    if len(choices) > _LISTED:
        return f"{len(choices)} strands can be drawn."
    return f"Can be drawn: {', '.join(map(str, choices))}."


def _move(view: SpaghettiView) -> str:
    if not view.lines:
        return f"a meatball on {view.filled[-1]}" if view.filled else ""
    crossed = len(view.crossings[-1])
    if not crossed:
        return f"{view.lines[-1]}, crossing nothing"
    gains = f"{counted(crossed, 'point')} for {who(1 - seat_of_line(len(view.lines) - 1))}"
    return f"{view.lines[-1]}, crossing {counted(crossed, 'strand')}: {gains}"
