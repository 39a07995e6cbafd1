"""Parts of the legal moves, if there are too many moves for a button each.

A player chooses a part, and then a part of this part, until few moves remain. Any move of any game takes at most three
choices.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, singledispatch
from itertools import combinations, pairwise
from typing import NamedTuple, TypeVar

from bot.app.errors import Refused
from rules.core.notation import Cell, read_cell
from rules.core.prompt import CellPrompt, Prompt, SegmentPrompt

Item = TypeVar("Item")

ON_BOARD = 20
"""Buttons that a board has room for: with all else on it, 20 stay below the 40 components of a message."""

MOST_STARTS = 21
"""The most places where lines start that are offered at once: 21 in five rows still stay below the 40 components,
also with the buttons that answer two proposals."""

ACROSS = 5
"""Buttons that fit into one row."""

IN_PRIVATE = 25
"""Buttons that a private message offers: five rows of five. A board has room for as many cells."""

_SECTIONS = 3
"""The parts of a whole board that is too large for windows of 5 by 5, across and down."""
_MOST_ACROSS = 4
"""The most windows of 5 by 5 across and down that a board has room for."""
_TANGLED = 13
"""The most lines between two sides that are offered together without a common end."""
CELL = re.compile("[a-z][0-9]+")
"""The name of a place that has a column and a row; others are numbers."""


class Window(NamedTuple):
    """A rectangle of cells, from the one at its bottom left to the one at its top right."""

    first: Cell
    last: Cell

    @classmethod
    def around(cls, cells: Sequence[Cell]) -> "Window":
        """Return the smallest rectangle that contains these cells."""
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
        """Return all cells, the top row first."""
        columns = range(self.first.column, self.last.column + 1)
        rows = range(self.last.row, self.first.row - 1, -1)
        return tuple(tuple(Cell(column, row) for column in columns) for row in rows)

    def divided(self, across: int, down: int) -> tuple[tuple["Window", ...], ...]:
        """Return rectangles of about the same size that cover the window, the top row first."""
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
    """Some of the legal moves, as canonical texts in board order, with a name that no other part has.

    A part that has the name of its only move needs no further choice.
    `window` is the rectangle that contains them. `place` is the cell in which all of these lines begin or end. `sides`
    are the indices of the two sides that these lines connect. Each is None if it does not apply.
    """

    name: str
    moves: tuple[str, ...]
    window: Window | None = None
    place: str | None = None
    sides: tuple[int, int] | None = None


Rows = tuple[tuple[Part, ...], ...]
"""Rows of parts as they are shown. Parts without moves fill gaps."""


@singledispatch
def divide(prompt: Prompt, part: Part) -> Rows:
    """Return the parts of a part. At least two of them have moves; the result is empty if the moves are few."""
    return _listed(part)


def _listed(part: Part) -> Rows:
    """Divide the moves in their order."""
    if len(part.moves) <= (IN_PRIVATE if part.name else ON_BOARD):
        return ()
    return _in_rows(_sections(part))


@divide.register
def _cells(prompt: CellPrompt, part: Part) -> Rows:
    """Divide the board, or a window that is too large for a button for each cell."""
    window = part.window or Window.around([_cell(move) for move in part.moves])
    across, down = _sections_of(window.width), _sections_of(window.height)
    if across == down == 1:
        if part.window is not None:
            return ()
        down = 2
    return _grid(part, window, _cell, across, down)


def _sections_of(length: int) -> int:
    """Return the number of sections for a side of this length: few enough for a board, and if possible of 5 cells."""
    count = -(-length // ACROSS)
    return count if count <= _MOST_ACROSS else _SECTIONS


@divide.register
def _segments(prompt: SegmentPrompt, part: Part) -> Rows:
    if part.place is not None:
        return ()
    if prompt.sides:
        return _by_sides(prompt, part)
    starts, ends = ({move: move.split("-")[index] for move in part.moves} for index in (0, -1))
    by_move = ends if len(set(starts.values())) == 1 else starts
    places = tuple(dict.fromkeys(by_move.values()))
    if not all(map(CELL.fullmatch, places)):
        return _listed(part)
    if len(places) > (IN_PRIVATE if part.name else MOST_STARTS):
        spots = Window.around([_cell(move) for move in places])
        return _grid(part, spots, lambda move: _cell(by_move[move]), _SECTIONS, _SECTIONS)
    named = [Part(name, tuple(it for it in part.moves if by_move[it] == name), place=name) for name in places]
    few = [some for whole in named for some in _few(whole)]
    return as_on_board({it.name: it for it in few}, _gap, ACROSS) if few == named else _in_rows(few)


def _gap(name: str) -> Part:
    """Return a part that fills the place of a cell of this name."""
    return Part(name, ())


def as_on_board(
    items: Mapping[str, Item], gap: Callable[[str], Item], down: int
) -> tuple[tuple[Item, ...], ...]:
    """Return items that are named by cells in rows, arranged as on the board, with gaps between them.

    If they take more than five columns or `down` rows, or leave more gaps than there are items, they are listed in
    rows of five.
    """
    window = Window.around([_cell(name) for name in items])
    fits = window.width <= ACROSS and window.height <= down and window.width * window.height <= 2 * len(items)
    if not fits:
        return _in_rows(list(items.values()))
    return tuple(tuple(items.get(str(cell)) or gap(str(cell)) for cell in row) for row in window.cells)


def within_five(names: Iterable[str]) -> bool:
    """Return True if the cells of these names lie in a square of five by five."""
    window = Window.around([_cell(name) for name in names])
    return max(window.width, window.height) <= ACROSS


def _by_sides(prompt: SegmentPrompt, part: Part) -> Rows:
    """Divide lines by a vertex where they end.

    On a larger board, divide lines by the two sides that they connect, and then by their vertex on the first of these.
    """
    ends = {move: move.split("-") for move in part.moves}
    if len(part.moves) == 1:
        return ()
    if part.sides is None:
        # All vertices if they are few enough, else those of the sides in which every line has an end.
        for sides in (prompt.sides, prompt.sides[:-1]):
            vertices = dict.fromkeys(place for _, places in sides for place in places)
            parts = _by_vertex(vertices, ends)
            if len(parts) <= IN_PRIVATE:
                return _in_rows(parts)
        pairs = list(combinations(range(len(prompt.sides)), 2))
        return _in_rows([_between(prompt, part, pair) for pair in pairs], across=2)
    if len(part.moves) <= _TANGLED:
        return ()
    _, first = prompt.sides[part.sides[0]]
    _, second = prompt.sides[part.sides[1]]
    found = []
    for place in first:
        moves = tuple(it for it, both in ends.items() if place in both and {*both} - {place} <= {*second})
        found += [Part(place, moves, place=place)] if moves else []
    return _in_rows(found)


def _by_vertex(vertices: Iterable[str], ends: Mapping[str, Sequence[str]]) -> list[Part]:
    """Return the lines at each of these vertices; a line that is alone at a vertex is a part of its own, once."""
    parts: dict[str, Part] = {}
    for place in vertices:
        moves = tuple(it for it, both in ends.items() if place in both)
        if len(moves) == 1:
            parts[moves[0]] = Part(moves[0], moves)
        elif moves:
            parts[place] = Part(place, moves, place=place)
    return [*parts.values()]


def _between(prompt: SegmentPrompt, part: Part, pair: tuple[int, int]) -> Part:
    """Return the lines that connect two sides."""
    (one, first), (other, second) = (prompt.sides[side] for side in pair)
    moves = tuple(move for move in part.moves if _joins(move.split("-"), first, second))
    return Part(f"{one} to {other}", moves, sides=pair)


def _joins(ends: Sequence[str], first: Iterable[str], second: Iterable[str]) -> bool:
    start, end = ends
    return (start in first and end in second) or (end in first and start in second)


def _grid(part: Part, window: Window, at: Callable[[str], Cell], across: int, down: int) -> Rows:
    """Return the parts of a window, arranged as on the board."""
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
    """Return the part, or sections of it if its moves are too many for a message."""
    return [part] if len(part.moves) <= IN_PRIVATE else _sections(part)


def _sections(part: Part) -> list[Part]:
    """Divide the moves into as few sections as possible, of at most 25 moves each. There are at most 20 sections."""
    count = min(ON_BOARD, max(2, -(-len(part.moves) // IN_PRIVATE)))
    sections = [part.moves[low:high] for low, high in pairwise(_bounds(len(part.moves), count))]
    if part.place is not None:
        others = [
            [next(it for it in move.split("-") if it != part.place) for move in moves] for moves in sections
        ]
        names = [f"{part.place}: {ends[0]} to {ends[-1]}" for ends in others]
        return [Part(name, moves, place=part.place) for name, moves in zip(names, sections, strict=True)]
    return [Part(f"{moves[0]} to {moves[-1]}", moves) for moves in sections]


def _in_rows(items: Sequence[Item], across: int = ACROSS) -> tuple[tuple[Item, ...], ...]:
    return tuple(tuple(items[low : low + across]) for low in range(0, len(items), across))


def _bounds(length: int, count: int) -> list[int]:
    """Return the bounds of `count` sections whose lengths differ by at most one."""
    return [length * index // count for index in range(count + 1)]


@lru_cache(maxsize=4096)
def _cell(text: str) -> Cell:
    return read_cell(text, text)


def part_at(prompt: Prompt, path: str) -> Part:
    """Return the part at a path of indices, each followed by a dot. Raises Refused if there is no such part."""
    part = Part("", prompt.choices)
    for index in path.split(".")[:-1]:
        found = [it for row in divide(prompt, part) for it in row]
        if not index or int(index) >= len(found) or not found[int(index)].moves:
            raise Refused("This button is out of date; use the newest board, which `/board` shows.")
        part = found[int(index)]
    return part
