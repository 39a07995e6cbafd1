"""Co-Compositeness: Leroy Quet, Games Conceived (blog), 2 December 2008."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import gcd
from types import MappingProxyType

from rules.core.errors import Illegal
from rules.core.game import Game, Option, Seat, Sheet
from rules.core.lattice import cells, check_on_board
from rules.core.notation import Cell, read_cell
from rules.core.prompt import CellPrompt, Step, StepPrompt
from rules.core.seats import leaders, next_seat
from rules.core.symmetry import TextTurn, cell_turns

Numbers = tuple[int, ...]
"""The numbers in a square, in the order of writing: none, one odd number, or two with a common factor."""


@dataclass(frozen=True, slots=True)
class CocompositeState:
    """`path` has the squares of 1, 3, 5 and so on, `writers` who wrote them; `squares[row * size + column]` is what a
    square holds."""

    size: int
    squares: tuple[Numbers, ...]
    points: tuple[int, ...]
    path: tuple[Cell, ...] = ()
    writers: tuple[Seat, ...] = ()
    mover: Seat = 0
    gone: frozenset[Seat] = frozenset()

    @property
    def number(self) -> int:
        """The number to be written next."""
        return 2 * len(self.path) + 1

    def held(self, cell: Cell) -> Numbers:
        return self.squares[cell.row * self.size + cell.column]

    def takes(self, cell: Cell) -> bool:
        """True if the next number may join those in the square."""
        held = self.held(cell)
        return not held or (len(held) == 1 and gcd(held[0], self.number) > 1)

    def next_seat(self) -> Seat:
        """The seat after the mover that is not gone."""
        return next_seat(self.mover, len(self.points), self.gone)


@dataclass(frozen=True, slots=True)
class CocompositeView:
    """The view of everyone.

    `squares` lists those that hold something with their numbers, in board order; `path` has the squares of 1, 3, 5
    and so on, `writers` who wrote them; `number` comes next, on one of `choices`, and scores on those that are in
    `scoring` too.
    """

    size: int
    squares: tuple[tuple[Cell, Numbers], ...]
    path: tuple[Cell, ...]
    writers: tuple[Seat, ...]
    number: int
    choices: tuple[Cell, ...]
    scoring: tuple[Cell, ...]


class Cocomposite(Game[CocompositeState, Cell]):
    """Odd numbers walk over the board like a king; two may share a square when they share a factor."""

    key = "cocomposite"
    sheet = Sheet(
        title="Co-Compositeness",
        author="Leroy Quet",
        year=2008,
        place="on his blog Games Conceived, 2 December 2008",
        pitch="1, 3, 5, 7: walk the odd numbers over the board and meet an old one that shares a factor.",
        goal="Score more points than anyone else before the walk gets stuck.",
        play=(
            "The first player writes 1 in any square.",
            (
                "In turn, each player writes the next odd number in one of the eight squares around the number"
                " written last."
            ),
            (
                "The square must be empty, or hold just one number that shares a factor above 1 with the new one:"
                " 21 may join 9 (both are multiples of 3), but not 25."
            ),
            "Joining a number scores a point. No square ever holds three numbers.",
        ),
        end="When the player on turn has no square to write in, the game ends and the highest score wins. To stop"
        " the walk while you lead is a fine plan.",
        example="1 stands on c3, 3 on d3, 5 on d4 and 7 on c4. The 9 of the next player may go on d3, beside c4: it"
        " shares the factor 3 with the 3 there and scores a point. It may not go on c3, since 1 shares no factor.",
        house=(
            "Equal best scores share the win.",
            (
                "A player who leaves keeps their points but can no longer win, and the others go on in turn; if nothing"
                " is written yet, the next player writes 1."
            ),
        ),
    )
    options = (Option("size", 16, 4, 20, "squares along each side"),)
    sizes = MappingProxyType({"quick": {"size": 8}, "standard": {"size": 16}, "long": {"size": 20}})
    seats = (2, 6)

    def start(self, options: Mapping[str, int], players: int) -> CocompositeState:
        size = options["size"]
        return CocompositeState(size, squares=((),) * size**2, points=(0,) * players)

    def to_move(self, state: CocompositeState) -> tuple[Seat, ...]:
        stuck = not any(state.takes(cell) for cell in _reach(state))
        return () if stuck else (state.mover,)

    def legal(self, state: CocompositeState) -> tuple[Cell, ...]:
        return tuple([cell for cell in _reach(state) if state.takes(cell)])

    def parse(self, state: CocompositeState, seat: Seat | None, text: str) -> Cell:
        return read_cell(text, self._example(state))

    def format(self, move: Cell) -> str:
        return str(move)

    def apply(self, state: CocompositeState, seat: Seat | None, move: Cell) -> CocompositeState:
        check_on_board(move, state.size, state.size)
        if move not in _reach(state):
            raise Illegal(
                f"{move} is not one of the eight squares around {state.path[-1]}, where {state.number - 2} stands.",
                rule="apart",
                marks=[str(state.path[-1])],
            )
        held = state.held(move)
        if len(held) == 2:
            raise Illegal(
                f"{move} already holds two numbers, {held[0]} and {held[1]}.", rule="full", marks=[str(move)]
            )
        if not state.takes(move):
            raise Illegal(
                f"{state.number} and the {held[0]} on {move} have no common factor above 1.",
                rule="no common factor",
                marks=[str(move)],
            )
        index = move.row * state.size + move.column
        return replace(
            state,
            squares=(*state.squares[:index], (*held, state.number), *state.squares[index + 1 :]),
            points=_scored(state) if held else state.points,
            path=(*state.path, move),
            writers=(*state.writers, state.mover),
            mover=state.next_seat(),
        )

    def leave(self, state: CocompositeState, seat: Seat) -> CocompositeState:
        left = replace(state, gone=state.gone | {seat})
        return replace(left, mover=left.next_seat()) if seat == state.mover else left

    def scores(self, state: CocompositeState) -> tuple[int, ...]:
        return state.points

    def winners(self, state: CocompositeState) -> tuple[Seat, ...] | None:
        if self.to_move(state):
            return None
        return leaders(state.points, state.gone)

    def position(self, state: CocompositeState) -> Hashable:
        newest = state.path[-1] if state.path else None
        return state.squares, newest, state.mover, state.points, state.gone

    def turns(self, options: Mapping[str, int]) -> tuple[TextTurn, ...]:
        return cell_turns(options["size"], options["size"])

    def observe(self, state: CocompositeState, seat: Seat | None) -> CocompositeView:
        held = ((cell, state.held(cell)) for cell in cells(state.size, state.size))
        choices = self.legal(state)
        return CocompositeView(
            size=state.size,
            squares=tuple((cell, numbers) for cell, numbers in held if numbers),
            path=state.path,
            writers=state.writers,
            number=state.number,
            choices=choices,
            scoring=tuple(cell for cell in choices if state.held(cell)),
        )

    def prompt(self, state: CocompositeState, seat: Seat) -> CellPrompt | StepPrompt:
        legal = self.legal(state)
        choices = tuple(str(cell) for cell in legal)
        if not state.path:
            return CellPrompt("Write 1 in any square.", choices[0], choices)
        here = state.path[-1]
        steps = tuple(Step(here, (c.column - here.column, c.row - here.row), str(c)) for c in legal)
        return StepPrompt(f"Write {state.number} next to {here}.", choices[0], choices, steps)

    def _example(self, state: CocompositeState) -> str:
        return str(next(iter(self.legal(state)), Cell(0, 0)))


@cache
def _around(cell: Cell, size: int) -> tuple[Cell, ...]:
    """The up to eight squares that touch `cell`, in board order."""
    rows, columns = range(cell.row + 1, cell.row - 2, -1), range(cell.column - 1, cell.column + 2)
    near = (Cell(column, row) for row in rows for column in columns)
    return tuple(other for other in near if other != cell and min(other) >= 0 and max(other) < size)


def _reach(state: CocompositeState) -> tuple[Cell, ...]:
    """Return the squares for the next number, if they are empty."""
    return _around(state.path[-1], state.size) if state.path else cells(state.size, state.size)


def _scored(state: CocompositeState) -> tuple[int, ...]:
    return tuple(points + (seat == state.mover) for seat, points in enumerate(state.points))
