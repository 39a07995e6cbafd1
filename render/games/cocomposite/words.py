"""Co-Compositeness as text."""

from math import gcd

from render.board.phrases import counted, flowed
from render.board.seats import SEAT_MARKS
from render.board.text import Description, board_size, describe, lettered
from rules.core.game import Seat
from rules.core.match import Observation
from rules.core.notation import Cell
from rules.games.cocomposite import CocompositeView, Numbers, primes


def writers_of(view: CocompositeView) -> dict[Cell, Seat]:
    """Return the seat that wrote last in each square; in a square with two numbers that seat scored."""
    return dict(zip(view.path, view.writers, strict=True))


def taken_apart(number: int) -> str:
    """Return a number with its prime factors: `45 = 3 · 3 · 5`, or `43, a prime`."""
    factors = primes(number)
    if len(factors) > 1:
        return f"{number} = {' · '.join(map(str, factors))}"
    return f"{number}, a prime" if factors else str(number)


def note(view: CocompositeView) -> str:
    """Return why a finished game is over, for the picture."""
    return "" if view.choices else f"{view.number} fits into no square next to {view.path[-1]}"


def _ending(view: CocompositeView) -> str:
    """Return why a finished game is over: two numbers fill a square, and share a factor."""
    if view.choices:
        return ""
    return f"the squares next to {view.path[-1]} are full or share no factor with {view.number}"


@describe.register
def words(view: CocompositeView, seen: Observation) -> Description:
    return Description(
        lambda: _position(view, seen),
        lambda: _rows(view, seen),
        _SIGNS,
        _move(view),
        _ending(view),
        verb="wrote",
    )


_SIGNS = {
    "@": "last number",
    "-": "one number",
    "#": "two numbers",
    "+": "playable",
    "*": "playable, scores",
    ".": "empty",
}


def _position(view: CocompositeView, seen: Observation) -> tuple[str, ...]:
    held = dict(view.squares)
    size = board_size(view.size, view.size)
    if not view.path:
        return (
            "Nothing is written yet: 1 goes in any square." if seen.winners is None else "It is empty.",
            size,
        )
    told = []
    if seen.winners is None:
        choices = (f"{cell}{_joining(held, view.number, cell)}" for cell in view.choices)
        told.append(f"Next is {taken_apart(view.number)}. Playable: {', '.join(choices)}.")
    last = view.path[-1]
    writer = SEAT_MARKS[view.writers[-1]].mark
    told.append(f"The last number, {view.number - 2}, stands on {last} ({writer}).")
    near = [(cell, numbers) for cell, numbers in view.squares if 0 < _apart(cell, last) <= 2]
    alone = [f"{numbers[0]} on {cell}" for cell, numbers in near if len(numbers) == 1]
    full = [str(cell) for cell, numbers in near if len(numbers) == 2]
    if alone:
        told.append(f"Single numbers within two squares: {', '.join(alone)}.")
    if full:
        told.append(f"Full squares within two squares: {', '.join(full)}.")
    shared = sum(len(numbers) == 2 for numbers in held.values())
    return (*told, f"{counted(len(held) - shared, 'square')} with one number, {shared} with two.", size)


def _joining(held: dict[Cell, Numbers], number: int, cell: Cell) -> str:
    return f" (scores with {held[cell][0]}, factor {gcd(held[cell][0], number)})" if cell in held else ""


def _apart(cell: Cell, other: Cell) -> int:
    """Return the distance between two squares, as a king moves."""
    return max(abs(cell.column - other.column), abs(cell.row - other.row))


def _move(view: CocompositeView) -> str:
    if not view.path:
        return ""
    cell = view.path[-1]
    numbers = dict(view.squares)[cell]
    joining = f", joining {numbers[0]} by the factor {gcd(*numbers)}: 1 point" if len(numbers) == 2 else ""
    return f"{numbers[-1]} on {cell}{joining}"


_SPACED = 18
"""The most columns that fit a phone with a space after each."""
_FEW = 2
"""Lines of squares in which a seat has scored."""
_ROOM = 1500
"""The most characters of all rows together, without the lines above and below them."""


def _rows(view: CocompositeView, seen: Observation) -> tuple[str, ...]:
    """Return a sign for each square.

    Below, the numbers that stand alone, with their squares: those nearest to the last number if there are too many.
    """
    held, wide = dict(view.squares), 2 if view.size <= _SPACED else 1
    grid = [*lettered(view.size, view.size, lambda cell: _sign(view, seen, held, cell), wide)]
    if seen.winners is None:
        grid += ["", f"Next: {taken_apart(view.number)}"]
    grid += _scored(view)
    alone = [(cell, numbers[0]) for cell, numbers in view.squares if len(numbers) == 1]
    if not alone:
        return tuple(grid)
    alone.sort(key=lambda one: _apart(one[0], view.path[-1]))
    room = _ROOM - sum(len(row) + 1 for row in grid)
    listed = flowed(f"{cell} {number}" for cell, number in alone)
    shown = [line for place, line in enumerate(listed) if (place + 1) * 41 <= room]
    title = (
        "Single numbers, the nearest first:" if len(shown) == len(listed) else "The nearest single numbers:"
    )
    return (*grid, "", title, *shown)


def _scored(view: CocompositeView) -> list[str]:
    """Return the squares in which each seat has scored, in a few lines: the latest ones if there are too many."""
    shared = {cell for cell, numbers in view.squares if len(numbers) == 2}
    writers = writers_of(view)
    where: dict[Seat, list[str]] = {}
    for cell in dict.fromkeys(reversed(view.path)):
        if cell in shared:
            where.setdefault(writers[cell], []).append(str(cell))
    lines = [
        line
        for seat in sorted(where)
        for line in flowed([f"Points of {SEAT_MARKS[seat].mark}:", *where[seat]])[:_FEW]
    ]
    return ["", *lines] if lines else []


def _sign(view: CocompositeView, seen: Observation, held: dict[Cell, Numbers], cell: Cell) -> str:
    if view.path and cell == view.path[-1]:
        return "@"
    if seen.winners is None and cell in view.choices:
        return "*" if cell in held else "+"
    return ".-#"[len(held.get(cell, ()))]
