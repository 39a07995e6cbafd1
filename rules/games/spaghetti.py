"""Uncooked Spaghetti and Square Meatballs: Leroy Quet, Games Conceived, 23 December 2008."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from rules.core.bits import Bits, bit, members
from rules.core.errors import Ambiguous, Illegal, Unreadable, shown
from rules.core.game import Game, Option, Seat, Sheet, frozen
from rules.core.lattice import board_turns, cells, check_on_board
from rules.core.notation import Cell, joined, read_cell, read_numbers
from rules.core.plane import Point, meeting_point
from rules.core.prompt import CellPrompt, SegmentPrompt


class Line(NamedTuple):
    """A line by the numbers of its ends, the lower first. Vertex 1 is the top left corner; they go on clockwise."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    def crosses(self, other: "Line") -> bool:
        """Return True if the lines meet inside the board.

        In that case exactly one end of the other line lies between the ends of this one.

        All four ends must differ. Lines never run along the rim, so they share no stretch and no single rim point.
        """
        return (self.low < other.low < self.high) != (self.low < other.high < self.high)


Move = Cell | Line


@frozen
class SpaghettiState:
    """`filled` and `lines` in the order made.

    `open` are the lines (of `LineTable.lines`) that no filled square and no used end forbids.
    """

    size: int
    open: Bits
    filled: tuple[Cell, ...] = ()
    lines: tuple[Line, ...] = ()
    points: tuple[int, int] = (0, 0)

    @property
    def filling(self) -> bool:
        return len(self.filled) < self.size

    @property
    def over(self) -> bool:
        return not self.filling and not self.open

    @property
    def mover(self) -> Seat:
        # Seat 0 fills first, seat 1 draws first, whoever filled last.
        return len(self.filled) % 2 if self.filling else (len(self.lines) + 1) % 2


@dataclass(frozen=True, slots=True)
class SpaghettiView:
    """The view of every seat and of spectators.

    `spots[i]` is the lattice point of vertex i + 1 (a1 at the bottom left corner of the board). Line i was drawn by
    seat (i + 1) % 2 and met the lines before it in `crossings[i]`, a point each for the other seat. Of `squares` and
    `choices`, the squares that may be filled and the lines that may be drawn now, one at least is empty.
    """

    size: int
    spots: tuple[Cell, ...]
    filled: tuple[Cell, ...]
    lines: tuple[Line, ...]
    crossings: tuple[tuple[Point, ...], ...]
    points: tuple[int, int]
    squares: tuple[Cell, ...]
    choices: tuple[Line, ...]


def sides(size: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the vertices of each side of the board, corners on both of theirs."""
    around = [*map(str, range(1, 4 * size + 1)), "1"]
    names = ("top", "right", "bottom", "left")
    return tuple((name, tuple(around[at * size : (at + 1) * size + 1])) for at, name in enumerate(names))


@cache
def rim_of(size: int) -> tuple[Cell, ...]:
    """Return the lattice points of vertices 1 to 4 * size."""
    top = [Cell(step, size) for step in range(size)]
    right = [Cell(size, size - step) for step in range(size)]
    bottom = [Cell(size - step, 0) for step in range(size)]
    left = [Cell(0, step) for step in range(size)]
    return (*top, *right, *bottom, *left)


@dataclass(frozen=True, slots=True)
class LineTable:
    """The tables of one size.

    They hold the lines between two sides in order, each as a set of one, and the lines that pass through the inside of
    a square or end at a vertex.
    """

    lines: tuple[Line, ...]
    alone: Mapping[Line, Bits]
    through: Mapping[Cell, Bits]
    ending: Mapping[int, Bits]


@cache
def line_table(size: int) -> LineTable:
    rim = rim_of(size)
    pairs = (Line(low, high) for low, high in combinations(range(1, 4 * size + 1), 2))
    lines = tuple(line for line in pairs if not _one_side(size, line))
    alone = {line: bit(number, len(lines)) for number, line in enumerate(lines)}
    through = dict.fromkeys(cells(size, size), 0)
    ending = dict.fromkeys(range(1, 4 * size + 1), 0)
    for line in lines:
        ending[line.low] |= alone[line]
        ending[line.high] |= alone[line]
        for square in _passed(rim[line.low - 1], rim[line.high - 1], cells(size, size)):
            through[square] |= alone[line]
    return LineTable(lines, alone, through, ending)


def _passed(a: Cell, b: Cell, squares: tuple[Cell, ...]) -> Iterator[Cell]:
    """Yield the squares whose inside a line from rim to rim passes through: those with corners on both sides of it."""
    dx, dy = b.column - a.column, b.row - a.row
    least, most = min(dx, 0) + min(-dy, 0), max(dx, 0) + max(-dy, 0)
    for square in squares:
        # Twice the area of the triangle with the lower left corner; from corner to corner it changes by dx and dy.
        corner = dx * (square.row - a.row) - dy * (square.column - a.column)
        if corner + least < 0 < corner + most:
            yield square


def _one_side(size: int, line: Line) -> bool:
    (ax, ay), (bx, by) = (rim_of(size)[end - 1] for end in line)
    return (ax == bx and ax in (0, size)) or (ay == by and ay in (0, size))


def check_square(state: SpaghettiState, square: Cell) -> None:
    """Raise Illegal unless the square may be filled."""
    if not state.filling:
        raise Illegal("All squares are filled: name the two ends of a strand.", rule="phase")
    check_on_board(square, state.size, state.size)
    if square in state.filled:
        raise Illegal(
            f"{square} is filled already; choose a free square.", rule="filled", marks=[str(square)]
        )


def check_line(state: SpaghettiState, line: Line) -> None:
    """Raise Illegal unless the line may be drawn."""
    if state.filling:
        raise Illegal("First the meatballs are laid: name a square for yours.", rule="phase")
    table = line_table(state.size)
    if not state.open & table.alone.get(line, 0):
        raise _forbidden(state, line)


def _forbidden(state: SpaghettiState, line: Line) -> Illegal:
    """Return the reason why this line may not be drawn."""
    table, last = line_table(state.size), 4 * state.size
    for end in line:
        if not 1 <= end <= last:
            return Illegal(
                f"There is no point {end} on the rim: the points go from 1 to {last}.", rule="no vertex"
            )
    used = [str(end) for earlier in state.lines for end in earlier if end in line]
    if used:
        return Illegal(
            f"A strand already ends at {' and at '.join(used)}; only one may end at each point.",
            rule="used",
            marks=used,
        )
    ends = [str(line.low), str(line.high)]
    if line.low == line.high:
        return Illegal(f"A strand needs two ends, not {line.low} twice.", rule="same vertex", marks=ends[:1])
    if line not in table.alone:
        return Illegal(
            f"{line.low} and {line.high} lie on one side of the board; a strand joins two sides.",
            rule="one side",
            marks=ends,
        )
    filled = [str(square) for square in state.filled if table.through[square] & table.alone[line]]
    where = f"{'meatballs' if filled[1:] else 'meatball'} on {joined(filled)}"
    edges = f"{'their' if filled[1:] else 'its'} edges and corners"
    return Illegal(
        f"{line} would pass through the {where}; a strand may only touch {edges}.",
        rule="blocked",
        marks=filled,
    )


class Spaghetti(Game[SpaghettiState, Move]):
    """Fill squares, then lay straight lines between them from rim to rim; crossing a line pays your opponent."""

    key = "spaghetti"
    sheet = Sheet(
        title="Uncooked Spaghetti and Square Meatballs",
        short="Spaghetti",
        author="Leroy Quet",
        year=2008,
        place="on his blog Games Conceived, 23 December 2008",
        pitch="Stiff spaghetti between square meatballs: whoever crosses a strand feeds the opponent.",
        goal="Have more points when no strand can be drawn any more. Points come from your opponent's crossings.",
        play=(
            "First take turns to fill one empty square of the board, as many in all as the board is wide.",
            (
                "Then the second player draws first. A strand is straight and joins two points of the rim where grid"
                " lines end; no strand may end there yet, and the two may not lie on one side of the board (a corner"
                " lies on two sides)."
            ),
            "No strand passes through the inside of a filled square. Along its edge or over its corner is fine.",
            "For each earlier strand that yours crosses, no matter who drew it, your opponent gets a point.",
            "A player who can draw a strand must draw one.",
        ),
        end="When no strand can be drawn, the higher score wins; equal scores are a draw.",
        example="On a board of 8, the points of the rim are 1 to 32, clockwise from the top left corner. After 4-20,"
        " a strand 7-15 crosses nothing, for both its ends lie between 4 and 20; then 10-30 crosses both and gives the"
        " other player 2 points.",
        house=(),
    )
    options = (Option("size", 8, 2, 12, "squares along each side"),)
    sizes = MappingProxyType({"quick": {"size": 5}, "standard": {"size": 8}, "long": {"size": 11}})

    def start(self, options: Mapping[str, int], players: int) -> SpaghettiState:
        return SpaghettiState(options["size"], (1 << len(line_table(options["size"]).lines)) - 1)

    def to_move(self, state: SpaghettiState) -> tuple[Seat, ...]:
        return () if state.over else (state.mover,)

    def phase(self, state: SpaghettiState) -> str:
        return "fill" if state.filling else "draw"

    def legal(self, state: SpaghettiState) -> tuple[Move, ...]:
        return _squares(state) if state.filling else _lines(state)

    def parse(self, state: SpaghettiState, seat: Seat | None, text: str) -> Move:
        try:
            end, *others = read_numbers(text, "line", "")
        except Unreadable:
            return self._read_square(state, text)
        if others:
            return Line(*sorted((end, *others)))
        if state.filling:
            return self._read_square(state, text)
        readings = [line for line in _lines(state) if end in line]
        if len(readings) > 1:
            raise Ambiguous(text, map(str, readings))
        return readings[0] if readings else Line(end, end)

    def _read_square(self, state: SpaghettiState, text: str) -> Cell:
        try:
            return read_cell(text, lambda: self._example(state))
        except Unreadable:
            if state.filling:
                raise
        example = self._example(state)
        raise Unreadable(
            f"{shown(text)} is no strand; name one by the numbers of its ends, like `{example}`."
        )

    def apply(self, state: SpaghettiState, seat: Seat | None, move: Move) -> SpaghettiState:
        table = line_table(state.size)
        if isinstance(move, Cell):
            check_square(state, move)
            return replace(state, filled=(*state.filled, move), open=state.open & ~table.through[move])
        check_line(state, move)
        first, second = state.points
        crossed = sum(move.crosses(line) for line in state.lines)
        return replace(
            state,
            open=state.open & ~(table.ending[move.low] | table.ending[move.high]),
            lines=(*state.lines, move),
            points=(first + crossed, second) if state.mover else (first, second + crossed),
        )

    def scores(self, state: SpaghettiState) -> tuple[int, int]:
        return state.points

    def winners(self, state: SpaghettiState) -> tuple[Seat, ...] | None:
        if not state.over:
            return None
        return tuple(seat for seat in (0, 1) if state.points[seat] == max(state.points))

    def position(self, state: SpaghettiState) -> Hashable:
        return state.size, frozenset(state.filled), frozenset(state.lines), state.points

    def canonical(self, state: SpaghettiState) -> object:
        size, rim = state.size, rim_of(state.size)
        filled = [square.row * size + square.column for square in state.filled]
        places = [point.row * (size + 1) + point.column for point in rim]
        lines = [(places[line.low - 1], places[line.high - 1]) for line in state.lines]
        turns = zip(board_turns(size, size), board_turns(size + 1, size + 1), strict=True)
        return state.points, min(
            (
                sorted(squares[place] for place in filled),
                sorted(sorted((points[a], points[b])) for a, b in lines),
            )
            for squares, points in turns
        )

    def observe(self, state: SpaghettiState, seat: Seat | None) -> SpaghettiView:
        return SpaghettiView(
            size=state.size,
            spots=rim_of(state.size),
            filled=state.filled,
            lines=state.lines,
            crossings=tuple(_crossings(state, number) for number in range(len(state.lines))),
            points=state.points,
            squares=_squares(state) if state.filling else (),
            choices=() if state.filling else _lines(state),
        )

    def prompt(self, state: SpaghettiState, seat: Seat) -> CellPrompt | SegmentPrompt:
        choices = tuple(self.format(move) for move in self.legal(state))
        if state.filling:
            ask = "Put a meatball on any free square; no strand can pass through it."
            return CellPrompt(ask, choices[0], choices, noun="square")
        if not state.lines:
            ask, green = "All meatballs are laid. Draw the first strand.", ""
        else:
            ask = "Draw a strand."
            green = "Green buttons cross nothing."
        cheap = tuple(map(str, cheapest(state.lines, _lines(state))))
        return SegmentPrompt(
            ask, choices[0], choices, sides=sides(state.size), cheapest=cheap, noun="strand", green=green
        )

    def _example(self, state: SpaghettiState) -> str:
        return self.format(next(iter(self.legal(state)), Line(1, 2 * state.size + 1)))


_CHEAP = 14
"""The most lines that `cheapest` returns if there are others."""


def cheapest(drawn: tuple[Line, ...], choices: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines that cross the fewest others, cheapest first: all if one more would be all.

    Of equal lines, those are returned that are spread over the whole board.
    """
    by_cost: dict[int, list[Line]] = {}
    for line in choices:
        by_cost.setdefault(sum(line.crosses(other) for other in drawn), []).append(line)
    room = len(choices) if len(choices) <= _CHEAP + 1 else _CHEAP
    found: list[Line] = []
    for _, lines in sorted(by_cost.items()):
        count = min(len(lines), room - len(found))
        found += [lines[len(lines) * index // count] for index in range(count)]
    return tuple(found)


def _squares(state: SpaghettiState) -> tuple[Cell, ...]:
    filled = frozenset(state.filled)
    return tuple(square for square in cells(state.size, state.size) if square not in filled)


def _lines(state: SpaghettiState) -> tuple[Line, ...]:
    return members(state.open, line_table(state.size).lines)


def _crossings(state: SpaghettiState, number: int) -> tuple[Point, ...]:
    """Return the points in which the line of this number meets those before it."""
    line, earlier = state.lines[number], state.lines[:number]
    met = (_meeting(state.size, line, other) for other in earlier if line.crosses(other))
    return tuple(point for point in met if point is not None)


@lru_cache(maxsize=1 << 11)
def _meeting(size: int, line: Line, other: Line) -> Point | None:
    rim = rim_of(size)
    return meeting_point((rim[line.low - 1], rim[line.high - 1]), (rim[other.low - 1], rim[other.high - 1]))
