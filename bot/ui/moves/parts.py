"""Parts of the legal moves, where they are too many for a button each: one of a few parts is chosen, then one of its
parts, until the moves that remain are few. Three choices are enough for every move of every game."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, singledispatch
from itertools import combinations, pairwise
from typing import NamedTuple

from bot.app.errors import Refused
from rules.core.notation import Cell, read_cell
from rules.core.prompt import CellPrompt, Prompt, SegmentPrompt

ON_BOARD = 20
"""Buttons that a board has room for: with all else on it, 20 stay below the 40 components of a message."""

ACROSS = 5
"""Buttons that fit into one row."""

IN_PRIVATE = 25
"""Buttons that a private message offers: five rows of five."""

_PAD = 3
"""The parts of a whole board, across and down."""
_TANGLED = 13
"""Lines between two sides that can be told from each other without a common end."""


class Window(NamedTuple):
    """A rectangle of cells, from the one at its bottom left to the one at its top right."""

    first: Cell
    last: Cell

    @classmethod
    def around(cls, cells: Sequence[Cell]) -> "Window":
        """The smallest rectangle that holds these cells."""
        columns, rows = zip(*cells, strict=True)
        return cls(Cell(min(columns), min(rows)), Cell(max(columns), max(rows)))

    @property
    def width(self) -> int:
        return self.last.column - self.first.column + 1

    @property
    def height(self) -> int:
        return self.last.row - self.first.row + 1

    @property
    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """All cells, the top row first."""
        columns = range(self.first.column, self.last.column + 1)
        rows = range(self.last.row, self.first.row - 1, -1)
        return tuple(tuple(Cell(column, row) for column in columns) for row in rows)

    def divided(self, across: int, down: int) -> tuple[tuple["Window", ...], ...]:
        """Rectangles of about the same size, the top row first."""
        columns = list(pairwise(_bounds(self.width, across)))
        rows = list(pairwise(_bounds(self.height, down)))
        column, row = self.first
        return tuple(
            tuple(
                Window(Cell(column + left, row + low), Cell(column + right - 1, row + high - 1))
                for left, right in columns
            )
            for low, high in reversed(rows)
        )

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the legal moves by their canonical texts, in board order, under a name that tells them from the others.

    `window` is the part of the board in which they lie, `place` the one place where all of these lines begin or end,
    and `sides` the indices of the two sides between which they run; each is None if that says nothing.
    """

    name: str
    moves: tuple[str, ...]
    window: Window | None = None
    place: str | None = None
    sides: tuple[int, int] | None = None


Rows = tuple[tuple[Part, ...], ...]
"""Parts as they are laid out; those without moves keep the others in their places."""


@singledispatch
def divide(prompt: Prompt, part: Part) -> Rows:
    """Return the parts of a part, at least two of them with moves; () if it is not divided any more."""
    if len(part.moves) <= (IN_PRIVATE if part.name else ON_BOARD):
        return ()
    return _in_rows(_stretches(part))


@divide.register
def _cells(prompt: CellPrompt, part: Part) -> Rows:
    """The parts of the board or of a window; a window that has room for a button for each cell is not divided."""
    window = part.window
    if window is None:
        return _pad(part, Window.around([_cell(move) for move in part.moves]), _cell, _PAD, _PAD)
    if max(window.width, window.height) <= ACROSS:
        return ()
    return _pad(part, window, _cell, -(-window.width // ACROSS), -(-window.height // ACROSS))


@divide.register
def _segments(prompt: SegmentPrompt, part: Part) -> Rows:
    if part.place is not None:
        return ()
    if prompt.sides:
        return _by_sides(prompt, part)
    starts, ends = ({move: move.split("-")[index] for move in part.moves} for index in (0, -1))
    by_move = ends if prompt.ends_first or len(set(starts.values())) == 1 else starts
    places = tuple(dict.fromkeys(by_move.values()))
    if len(places) > (IN_PRIVATE if part.name else ON_BOARD):
        spots = Window.around([_cell(move) for move in places])
        return _pad(part, spots, lambda move: _cell(by_move[move]), _PAD, _PAD)
    named = [Part(name, tuple(it for it in part.moves if by_move[it] == name), place=name) for name in places]
    return _in_rows([some for whole in named for some in _few(whole)])


def _by_sides(prompt: SegmentPrompt, part: Part) -> Rows:
    """First the two sides between which a line runs, then the vertex where it begins on the first of them."""
    if part.sides is None:
        pairs = list(combinations(range(len(prompt.sides)), 2))
        return _in_rows([_between(prompt, part, pair) for pair in pairs], across=2)
    if len(part.moves) <= _TANGLED:
        return ()
    _, first = prompt.sides[part.sides[0]]
    _, second = prompt.sides[part.sides[1]]
    found = []
    for place in first:
        ends = ((move, move.split("-")) for move in part.moves)
        moves = tuple(it for it, both in ends if place in both and {*both} - {place} <= {*second})
        found += [Part(place, moves, place=place)] if moves else []
    return _in_rows(found)


def _between(prompt: SegmentPrompt, part: Part, pair: tuple[int, int]) -> Part:
    """The lines between two sides."""
    (one, first), (other, second) = (prompt.sides[side] for side in pair)
    moves = tuple(move for move in part.moves if _joins(move.split("-"), first, second))
    return Part(f"{one} to {other}", moves, sides=pair)


def _joins(ends: Sequence[str], first: Iterable[str], second: Iterable[str]) -> bool:
    start, end = ends
    return (start in first and end in second) or (end in first and start in second)


def _pad(part: Part, window: Window, at: Callable[[str], Cell], across: int, down: int) -> Rows:
    """The parts of a window of the board, laid out as they lie there."""
    windows = window.divided(min(across, window.width), min(down, window.height))
    # A board may have hundreds of cells: each is looked up in a column and a row of windows.
    columns = [it.first.column for it in windows[0]]
    rows = [row[0].first.row for row in reversed(windows)]
    moves: list[list[list[str]]] = [[[] for _ in row] for row in windows]
    for move in part.moves:
        column, row = at(move)
        moves[-bisect_right(rows, row)][bisect_right(columns, column) - 1].append(move)
    return tuple(
        tuple(Part(str(it), tuple(found), it) for it, found in zip(*row, strict=True))
        for row in zip(windows, moves, strict=True)
    )


def _few(part: Part) -> list[Part]:
    """The part itself, or stretches of its moves if they are too many for a message."""
    return [part] if len(part.moves) <= IN_PRIVATE else _stretches(part)


def _stretches(part: Part) -> list[Part]:
    """As few stretches of the moves as can be, each with at most 25 moves unless they are more than 25 times 20."""
    count = min(ON_BOARD, max(2, -(-len(part.moves) // IN_PRIVATE)))
    stretches = [part.moves[low:high] for low, high in pairwise(_bounds(len(part.moves), count))]
    if part.place is not None:
        others = [
            [next(it for it in move.split("-") if it != part.place) for move in moves] for moves in stretches
        ]
        names = [f"{part.place}: {ends[0]} to {ends[-1]}" for ends in others]
        return [Part(name, moves, place=part.place) for name, moves in zip(names, stretches, strict=True)]
    return [Part(f"{moves[0]} to {moves[-1]}", moves) for moves in stretches]


def _in_rows(parts: Sequence[Part], across: int = 4) -> Rows:
    # A phone shows four short names in a row; a message has no room for more than six rows.
    count = min(6, -(-len(parts) // across))
    return tuple(tuple(parts[low:high]) for low, high in pairwise(_bounds(len(parts), count)))


def _bounds(length: int, count: int) -> list[int]:
    """The bounds of so many stretches whose lengths differ by at most one."""
    return [length * index // count for index in range(count + 1)]


@lru_cache(maxsize=4096)
def _cell(text: str) -> Cell:
    return read_cell(text, text)


def part_at(prompt: Prompt, path: str) -> Part:
    """Return the part at the end of a path: indices, each followed by a dot. Raises Refused if there is none."""
    part = Part("", prompt.choices)
    for index in path.split(".")[:-1]:
        found = [it for row in divide(prompt, part) for it in row]
        if not index or int(index) >= len(found) or not found[int(index)].moves:
            raise Refused("This button is out of date; use the newest board, which `/board` shows.")
        part = found[int(index)]
    return part
