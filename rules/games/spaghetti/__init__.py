"""Uncooked Spaghetti and Square Meatballs: Leroy Quet, Games Conceived, 23 December 2008."""

import re
from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from rules.core.bits import members
from rules.core.errors import Ambiguous, Unreadable, shown
from rules.core.game import Game, Option, Seat, Sheet
from rules.core.lattice import cells
from rules.core.notation import Cell, read_cell, tidy
from rules.core.plane import Point, meeting_point
from rules.core.prompt import CellPrompt, SegmentPrompt
from rules.core.symmetry import board_turns
from rules.games.spaghetti.lines import line_table, rim_of, sides
from rules.games.spaghetti.refusals import check_line, check_square
from rules.games.spaghetti.state import Line, Move, SpaghettiState, SpaghettiView

_ENDS = re.compile(r"#?([0-9]{1,4})(?:(?:[\s,;:.>→‐‑–—−-]|to)+#?([0-9]{1,4}))?")


class Spaghetti(Game[SpaghettiState, Move]):
    """Fill squares, then lay straight lines between them from rim to rim; crossing a line pays your opponent."""

    key = "spaghetti"
    sheet = Sheet(
        title="Uncooked Spaghetti and Square Meatballs",
        author="Leroy Quet",
        year=2008,
        place="on his blog Games Conceived, 23 December 2008",
        pitch="Stiff spaghetti between square meatballs: whoever crosses a strand feeds the other one.",
        goal="Have more points when no line can be drawn any more. Points come from your opponent's crossings.",
        play=(
            "First take turns to fill one empty square of the board, as many in all as the board is wide.",
            (
                "Then the second player draws first. A line is straight and joins two points of the rim where grid"
                " lines end; no line may end there yet, and the two may not lie on one side of the board (a corner"
                " lies on two sides)."
            ),
            "No line passes through the inside of a filled square. Along its edge or over its corner is fine.",
            "For each earlier line that yours crosses, no matter who drew it, your opponent gets a point.",
            "A player who can draw a line must draw one.",
        ),
        end="When no line can be drawn, the higher score wins; equal scores are a draw.",
        example="On a board of 8, the points of the rim are 1 to 32, clockwise from the top left corner. After 4-20,"
        " a line 7-15 crosses nothing, for both its ends lie between 4 and 20; then 10-30 crosses both and gives the"
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
        found = _ENDS.fullmatch(tidy(text))
        if found is None or (found[2] is None and state.filling):
            return self._read_square(state, text)
        if found[2] is not None:
            return Line(*sorted((int(found[1]), int(found[2]))))
        end = int(found[1])
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
        raise Unreadable(f"{shown(text)} is no line; name one by the numbers of its ends, like `{example}`.")

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
            return CellPrompt("Fill a square.", choices[0], choices)
        ask = "Draw a line from one side to another."
        return SegmentPrompt(ask, choices[0], choices, sides=sides(state.size))

    def _example(self, state: SpaghettiState) -> str:
        return self.format(next(iter(self.legal(state)), Line(1, 2 * state.size + 1)))


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
