"""X's and Lines: Leroy Quet, rec.games.abstract, 23 November 2010."""

from collections.abc import Hashable, Mapping
from types import MappingProxyType

from rules.core.bits import members
from rules.core.errors import Ambiguous, Unreadable, shown
from rules.core.game import Game, Option, Seat, Sheet
from rules.core.lattice import cells
from rules.core.notation import Cell, read_cells
from rules.core.prompt import CellPrompt, Prompt, SegmentPrompt
from rules.core.symmetry import board_turns
from rules.games.xlines.refusals import misplaced, undrawable
from rules.games.xlines.state import Line, XLinesState, XLinesView, ends_of
from rules.games.xlines.tracks import cell_sets, fan, open_lines, readings_of


class XLines(Game[XLinesState, Cell | Line]):
    """Scatter x's, then draw one trail from x to x that never crosses itself; the last to draw loses."""

    key = "xlines"
    sheet = Sheet(
        title="X's and Lines",
        author="Leroy Quet",
        year=2010,
        place="posted to rec.puzzles, sci.math and rec.games.abstract, 23 November 2010",
        pitch="Scatter x's together, then draw one trail through them, and leave the last line to the other.",
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
            ask = f"Place x {len(state.xs) + 1} of {state.size} on an empty cell."
            return CellPrompt(ask, choices[0], choices)
        where = f"{state.pen} to an x without a line" if state.pen else "any x to any other"
        ask = f"Draw a line from {where}. The player who draws the last line loses."
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
