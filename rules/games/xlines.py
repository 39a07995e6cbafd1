"""X's and Lines: Leroy Quet, rec.games.abstract, 23 November 2010."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from rules.core.bits import Bits, bit, members
from rules.core.errors import Ambiguous, Illegal, Unreadable, shown
from rules.core.game import Game, Option, Seat, Sheet, frozen
from rules.core.lattice import between, board_turns, cells, check_on_board, in_board_order
from rules.core.notation import Cell, read_cells
from rules.core.prompt import CellPrompt, Prompt, SegmentPrompt


class Line(NamedTuple):
    """A line from the middle of one cell to that of another, through at most one corner."""

    start: Cell
    corner: Cell | None
    end: Cell

    def __str__(self) -> str:
        return "-".join(str(cell) for cell in self if cell is not None)


@frozen
class XLinesState:
    """The x's and lines in the order in which they came.

    Also, as sets of the board's cells: the x's (`held`), and the cells that lines run straight through, by direction.
    `open` are the lines that may be drawn now; they follow from all else.
    """

    size: int
    xs: tuple[Cell, ...] = ()
    lines: tuple[Line, ...] = ()
    held: Bits = 0
    level: Bits = 0
    upright: Bits = 0
    open: tuple[Line, ...] = field(default=(), compare=False)

    @property
    def placing(self) -> bool:
        return len(self.xs) < self.size

    @property
    def mover(self) -> Seat:
        """Seat 0 places the first x, and seat 0 draws the first line."""
        return len(self.xs if self.placing else self.lines) % 2

    @property
    def pen(self) -> Cell | None:
        """The x that the next line starts from, once there is a line."""
        return self.lines[-1].end if self.lines else None

    @property
    def used(self) -> tuple[Cell, ...]:
        """The x's that a line has been drawn to or from, in the order of the lines."""
        return ends_of(self.lines)


@dataclass(frozen=True, slots=True)
class XLinesView:
    """The view of everyone.

    It holds the x's and lines in order, the x that the pen is on, the x's that lines have used, the lines that can be
    drawn now, and the cells (later the x's) that can be played to.
    """

    size: int
    xs: tuple[Cell, ...]
    lines: tuple[Line, ...]
    pen: Cell | None
    used: tuple[Cell, ...]
    open: tuple[Line, ...]
    choices: tuple[Cell, ...]


def ends_of(lines: tuple[Line, ...]) -> tuple[Cell, ...]:
    """Return the x's that a trail of lines runs to or from, in its order."""
    return (lines[0].start, *[line.end for line in lines]) if lines else ()


class Track(NamedTuple):
    """A line with the cells that it runs over between its ends.

    `level` are the cells that it crosses straight from left to right, `upright` those from bottom to top. Its corner is
    in neither.
    """

    line: Line
    over: Bits
    level: Bits
    upright: Bits


def open_lines(
    size: int, held: Bits, lines: tuple[Line, ...], level: Bits, upright: Bits
) -> tuple[Line, ...]:
    """Return the lines that may be drawn, in board order of start, end and corner.

    There always is a first one: between two x's that are as close as any, no x is in the way.
    """
    ends = members(held, cells(size, size))
    if lines:
        used = ends_of(lines)
        ends = tuple([cell for cell in ends if cell not in used])
    return tuple(
        [
            line
            for start in ((lines[-1].end,) if lines else ends)
            for tracks in (fan(size, start),)
            for end in ends
            for line, over, across, along in tracks[end]
            if not (over & held or across & upright or along & level)
        ]
    )


def ways(start: Cell, end: Cell) -> list[Line]:
    """Return the straight line between two cells, or else the two that turn once, the higher corner first."""
    if start.column == end.column or start.row == end.row:
        return [Line(start, None, end)]
    corners = in_board_order([Cell(start.column, end.row), Cell(end.column, start.row)])
    return [Line(start, corner, end) for corner in corners]


@cache
def cell_sets(size: int) -> Mapping[Cell, Bits]:
    return {cell: bit(number, size**2) for number, cell in enumerate(cells(size, size))}


@lru_cache(maxsize=256)
def fan(size: int, start: Cell) -> Mapping[Cell, tuple[Track, ...]]:
    """Return the tracks from one cell to each other one."""
    ends = cells(size, size)
    return {end: tuple(track_of(line, size) for line in ways(start, end) if end != start) for end in ends}


def track_of(line: Line, size: int) -> Track:
    bits = cell_sets(size)
    level = upright = 0
    for start, end in pairwise(cell for cell in line if cell is not None):
        through = sum(bits[cell] for cell in between(start, end))
        if start.row == end.row:
            level |= through
        else:
            upright |= through
    turn = 0 if line.corner is None else bits[line.corner]
    return Track(line, level | upright | turn, level, upright)


def readings_of(cells: tuple[Cell, ...], pen: Cell | None) -> list[Line]:
    """Return the lines that one, two or three cells can stand for: the start may be missing, the corner too.

    Never empty.
    """
    start, end = cells[0], cells[-1]
    if len(cells) == 3:
        return [_by_way_of(*cells) or Line(*cells)]
    if pen is None or pen == start:
        return ways(start, end)
    if len(cells) == 1:
        return ways(pen, end)
    continued = _by_way_of(pen, start, end)
    return [*ways(start, end), continued] if continued else ways(start, end)


def _by_way_of(start: Cell, middle: Cell, end: Cell) -> Line | None:
    """Return the line from start to end on which `middle` is the corner, or lies on the straight way."""
    for line in ways(start, end):
        if middle == line.corner or (line.corner is None and middle in between(start, end)):
            return line
    return None


def misplaced(state: XLinesState, cell: Cell) -> Illegal:
    """Return the reason why this x may not be placed."""
    check_on_board(cell, state.size, state.size)
    if state.placing:
        return Illegal(f"{cell} already holds an x; choose an empty cell.", rule="taken", marks=[str(cell)])
    example = next(iter(state.open), "c4-c7-f7")
    return Illegal(f"All x's are placed; now draw a line from x to x, like `{example}`.", rule="phase")


def undrawable(state: XLinesState, line: Line) -> Illegal:
    """Return the reason why a line that is not open may not be drawn."""
    for cell in line:
        if cell is not None:
            check_on_board(cell, state.size, state.size)
    if state.placing:
        left = state.size - len(state.xs)
        return Illegal(f"Lines come later; {left} of the x's are still to be placed.", rule="phase")
    start, _, end = line
    if start == end or line not in ways(start, end):
        return Illegal(
            f"{line} is no line; a line runs along rows and columns, with one right-angle turn at most.",
            rule="shape",
        )
    if state.pen is not None and start != state.pen:
        return Illegal(
            f"Your line starts at {state.pen}, where the last one ended, not at {start}.",
            rule="start",
            marks=[str(state.pen)],
        )
    for cell in (start, end):
        if cell not in state.xs:
            return Illegal(
                f"There is no x on {cell}; lines lead from x to x.", rule="no x", marks=[str(cell)]
            )
    if end in state.used:
        return Illegal(
            f"The x on {end} has a line already; draw to an x without one.", rule="used", marks=[str(end)]
        )
    track, paper = track_of(line, state.size), cells(state.size, state.size)
    over = [str(cell) for cell in members(track.over & state.held, paper)]
    if over:
        sentence = f"{line} would pass over the x on {' and '.join(over)}; a line meets x's only at its ends."
        return Illegal(sentence, rule="passes over", marks=over)
    crossed: dict[str, Line] = {}
    for other in state.lines:
        _, _, level, upright = track_of(other, state.size)
        met = members(track.level & upright | track.upright & level, paper)
        crossed |= {str(cell): other for cell in met}
    where, earlier = next(iter(crossed.items()))
    return Illegal(
        f"{line} would cross {earlier} in {where}; lines may run together but not cross.",
        rule="crosses",
        marks=crossed,
    )


class XLines(Game[XLinesState, Cell | Line]):
    """Scatter x's, then draw one trail from x to x that never crosses itself; the last to draw loses."""

    key = "xlines"
    sheet = Sheet(
        title="X's and Lines",
        author="Leroy Quet",
        year=2010,
        place="posted to rec.puzzles, sci.math and rec.games.abstract, 23 November 2010",
        pitch="Scatter x's together, then draw one trail through them, and leave the last line to your opponent.",
        goal="Do not be the one who draws the last line.",
        play=(
            "First take turns to put x's on empty cells, until there are as many as the board has rows.",
            (
                "Then the player who placed the first x draws a line from any x to any other. After that, each line"
                " starts at the x where your opponent's has just ended and goes to an x that has no line yet."
            ),
            (
                "A line runs from cell to cell, up, down, left or right, and may turn once, at a right angle. On its"
                " way it passes over no x, not even with its corner."
            ),
            (
                "A line may not cross an earlier one: no cell may be run through straight by one line from left to"
                " right and by another from bottom to top. Corners may touch anything, and lines may overlap."
            ),
        ),
        end="If it is your turn and no line can be drawn, you win: the player who drew the last line loses.",
        example="The last line ended at c4, and there is an x on f7. You may draw c4-c7-f7 (up, then right) or c4-f4-f7"
        " (right, then up), unless an x or an earlier line is in the way.",
        house=(
            (
                "Lines only cross where one runs straight through a cell and the other straight through it at a right"
                " angle. A line may join an old one, share a stretch with it and leave on its other side."
            ),
        ),
    )
    options = (Option("size", 8, 3, 12, "rows, columns and x's"),)
    sizes = MappingProxyType({"quick": {"size": 6}, "standard": {"size": 8}, "long": {"size": 11}})

    def start(self, options: Mapping[str, int], players: int) -> XLinesState:
        return XLinesState(options["size"])

    def to_move(self, state: XLinesState) -> tuple[Seat, ...]:
        return (state.mover,) if state.placing or state.open else ()

    def phase(self, state: XLinesState) -> str:
        return "place" if state.placing else "draw"

    def legal(self, state: XLinesState) -> tuple[Cell | Line, ...]:
        if state.placing:
            paper = cells(state.size, state.size)
            return members(~state.held & (1 << len(paper)) - 1, paper)
        return state.open

    def parse(self, state: XLinesState, seat: Seat | None, text: str) -> Cell | Line:
        cells = read_cells(text, lambda: self._example(state))
        if len(cells) == 1 and state.pen is None:
            return cells[0]
        if len(cells) > 3:
            raise Unreadable(f"{shown(text)} has too many cells; a line turns once at most, like `c4-c7-f7`.")
        readings = readings_of(cells, state.pen)
        legal = [line for line in readings if line in state.open]
        if len(legal) > 1:
            raise Ambiguous(text, [str(line) for line in legal])
        return (legal or readings)[0]

    def apply(self, state: XLinesState, seat: Seat | None, move: Cell | Line) -> XLinesState:
        if isinstance(move, Cell):
            return _place(state, move)
        if move not in state.open:
            raise undrawable(state, move)
        track = next(track for track in fan(state.size, move.start)[move.end] if track.line == move)
        level, upright = state.level | track.level, state.upright | track.upright
        lines = (*state.lines, move)
        after = open_lines(state.size, state.held, lines, level, upright)
        return XLinesState(state.size, state.xs, lines, state.held, level, upright, after)

    def winners(self, state: XLinesState) -> tuple[Seat, ...] | None:
        return None if self.to_move(state) else (state.mover,)

    def position(self, state: XLinesState) -> Hashable:
        drawn = frozenset(end for line in state.lines for end in (line.start, line.end))
        return state.size, state.mover, state.held, state.level, state.upright, drawn, state.pen

    def canonical(self, state: XLinesState) -> object:
        size, ends = state.size, ends_of(state.lines)
        places = tuple(cell.row * size + cell.column for cell in cells(size, size))
        held, level, upright = (members(bits, places) for bits in (state.held, state.level, state.upright))
        used = [cell.row * size + cell.column for cell in ends]
        found = []
        for number, turn in enumerate(board_turns(size, size)):
            straight = (level, upright) if number < 4 else (upright, level)
            parts = (held, *straight, used, used[-1:])
            found.append([sorted(turn[place] for place in it) for it in parts])
        return min(found), state.mover

    def observe(self, state: XLinesState, seat: Seat | None) -> XLinesView:
        targets = (move if isinstance(move, Cell) else move.end for move in self.legal(state))
        return XLinesView(
            size=state.size,
            xs=state.xs,
            lines=state.lines,
            pen=state.pen,
            used=state.used,
            open=state.open,
            choices=tuple(dict.fromkeys(targets)),
        )

    def prompt(self, state: XLinesState, seat: Seat) -> Prompt:
        choices = tuple(str(move) for move in self.legal(state))
        if state.placing:
            ask = f"Place x {len(state.xs) + 1} of {state.size} on any empty cell."
            return CellPrompt(ask, choices[0], choices)
        ask = "Draw the first line, from any x to any other. Whoever draws the last line loses."
        if state.pen:
            ask = f"Draw a line from {state.pen} to an x without a line. Whoever draws the last line loses."
        return SegmentPrompt(ask, choices[0], choices, bends=True)

    def _example(self, state: XLinesState) -> str:
        return str(next(iter(self.legal(state)), "c4-c7-f7"))


def _place(state: XLinesState, cell: Cell) -> XLinesState:
    new = cell_sets(state.size).get(cell, 0)
    if not new or new & state.held or not state.placing:
        raise misplaced(state, cell)
    xs, held = (*state.xs, cell), state.held | new
    first = open_lines(state.size, held, (), 0, 0) if len(xs) == state.size else ()
    return XLinesState(state.size, xs, held=held, open=first)
