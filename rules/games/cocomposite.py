"""Co-Compositeness: Leroy Quet, Games Conceived (blog), 2 December 2008."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import gcd
from types import MappingProxyType

from rules.core.errors import Illegal
from rules.core.game import Game, Option, Seat, Sheet, frozen, leaders, next_seat
from rules.core.lattice import board_turns, cells, check_on_board
from rules.core.notation import Cell, joined, read_cell
from rules.core.prompt import CellPrompt, Step, StepPrompt

Numbers = tuple[int, ...]
"""The numbers in a square, in the order of writing: none, one odd number, or two with a common factor."""

Place = int
"""A square: `row * size + column`."""

FULL = 1
"""Two numbers in a square are like a 1, which shares no factor with anything: no other number may join them."""


@frozen
class CocompositeState:
    """`walk` has the squares of 1, 3, 5 and so on, each with the seat that wrote there.

    From that follow the `choices` for the next number in board order, and what it meets: `held` has for each square
    that is written in the number that stands there alone, or FULL.
    """

    size: int
    points: tuple[int, ...]
    walk: tuple[tuple[Cell, Seat], ...] = ()
    mover: Seat = 0
    gone: frozenset[Seat] = frozenset()
    held: Mapping[Place, int] = field(default_factory=dict, compare=False)
    choices: tuple[Cell, ...] = field(default=(), compare=False)

    @property
    def number(self) -> int:
        """The number to be written next."""
        return 2 * len(self.walk) + 1

    @property
    def path(self) -> tuple[Cell, ...]:
        """The squares of 1, 3, 5 and so on."""
        return tuple(cell for cell, _ in self.walk)

    @property
    def writers(self) -> tuple[Seat, ...]:
        """The seats that wrote 1, 3, 5 and so on."""
        return tuple(seat for _, seat in self.walk)

    @property
    def written(self) -> dict[Cell, Numbers]:
        """The squares that hold something, in the order in which they were first written in, with their numbers."""
        found: dict[Cell, Numbers] = {}
        for turn, cell in enumerate(self.path):
            found[cell] = (*found.get(cell, ()), 2 * turn + 1)
        return found

    @property
    def squares(self) -> tuple[Numbers, ...]:
        """The numbers in each square: that of a cell is at `row * size + column`."""
        written, size = self.written, range(self.size)
        return tuple(written.get(Cell(column, row), ()) for row in size for column in size)


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
        return CocompositeState(size, (0,) * players, choices=cells(size, size))

    def to_move(self, state: CocompositeState) -> tuple[Seat, ...]:
        return (state.mover,) if state.choices else ()

    def legal(self, state: CocompositeState) -> tuple[Cell, ...]:
        return state.choices

    def parse(self, state: CocompositeState, seat: Seat | None, text: str) -> Cell:
        return read_cell(text, self._example(state))

    def apply(self, state: CocompositeState, seat: Seat | None, move: Cell) -> CocompositeState:
        if move not in state.choices:
            raise _refusal(state, move)
        size, mover, number, points = state.size, state.mover, 2 * len(state.walk) + 1, state.points
        here, held = move.row * size + move.column, {**state.held}
        if here in held:
            held[here] = FULL
            points = (*points[:mover], points[mover] + 1, *points[mover + 1 :])
        else:
            held[here] = number
        walk, following = (*state.walk, (move, mover)), next_seat(mover, len(points), state.gone)
        choices = _choices(size, here, held, number + 2)
        return CocompositeState(size, points, walk, following, state.gone, held, choices)

    def leave(self, state: CocompositeState, seat: Seat) -> CocompositeState:
        gone = state.gone | {seat}
        mover = next_seat(seat, len(state.points), gone) if seat == state.mover else state.mover
        return replace(state, gone=gone, mover=mover)

    def scores(self, state: CocompositeState) -> tuple[int, ...]:
        return state.points

    def winners(self, state: CocompositeState) -> tuple[Seat, ...] | None:
        if state.choices:
            return None
        return leaders(state.points, state.gone)

    def position(self, state: CocompositeState) -> Hashable:
        newest = state.walk[-1][0] if state.walk else None
        return state.squares, newest, state.mover, state.points, state.gone

    def canonical(self, state: CocompositeState) -> object:
        path = [cell.row * state.size + cell.column for cell, _ in state.walk]
        turns = board_turns(state.size, state.size)
        return min([turn[place] for place in path] for turn in turns), state.mover, state.points, state.gone

    def observe(self, state: CocompositeState, seat: Seat | None) -> CocompositeView:
        written = state.written
        return CocompositeView(
            size=state.size,
            squares=tuple((cell, written[cell]) for cell in cells(state.size, state.size) if cell in written),
            path=state.path,
            writers=state.writers,
            number=state.number,
            choices=state.choices,
            scoring=tuple(cell for cell in state.choices if cell in written),
        )

    def prompt(self, state: CocompositeState, seat: Seat) -> CellPrompt | StepPrompt:
        legal = self.legal(state)
        choices = tuple(str(cell) for cell in legal)
        if not state.walk:
            first = tuple(map(str, spread(state.size)))
            return CellPrompt("Write 1 in any square.", choices[0], choices, noun="square", spread=first)
        here, _ = state.walk[-1]
        steps = tuple(Step(here, (c.column - here.column, c.row - here.row), str(c)) for c in legal)
        factors = primes(state.number)
        product = " · ".join(map(str, factors))
        number = f"{state.number}, a prime," if len(factors) == 1 else f"{state.number} = {product}"
        ask = f"Write {number} in an empty square next to {here}."
        if not state.written.keys().isdisjoint(legal):
            multiple = joined([*map(str, dict.fromkeys(factors))], "or")
            ask = f"Write {number} next to {here}: on a multiple of {multiple} it scores."
        return StepPrompt(ask, choices[0], choices, steps, green="Green buttons score a point.")

    def _example(self, state: CocompositeState) -> str:
        return str(next(iter(self.legal(state)), Cell(0, 0)))


def primes(number: int) -> tuple[int, ...]:
    """Return the prime factors of a number in ascending order, repeated; none for 1."""
    found = []
    factor = 2
    while factor * factor <= number:
        while number % factor == 0:
            found.append(factor)
            number //= factor
        factor += 1
    return (*found, number) if number > 1 else tuple(found)


_FEW = 20
"""The squares of a board on which all of them can be offered."""
_ACROSS, _DOWN = 5, 3
"""The columns and the rows of the squares that are offered on a larger board."""


def spread(size: int) -> tuple[Cell, ...]:
    """Return squares all over a board that are offered for 1, in board order; none if the board has few squares.

    They fill three rows of five but for the last place, which is left to a way to the other squares.
    """
    if size * size <= _FEW:
        return ()
    columns, rows = (
        [(2 * place + 1) * size // (2 * count) for place in range(count)] for count in (_ACROSS, _DOWN)
    )
    return tuple(Cell(column, row) for row in reversed(rows) for column in columns)[:-1]


@cache
def _around(size: int) -> tuple[tuple[tuple[Place, Cell], ...], ...]:
    """Return for each square the squares that touch it, at most eight, in board order."""
    board = [[(row * size + column, Cell(column, row)) for column in range(size)] for row in range(size)]
    return tuple(
        tuple(
            square
            for rows in reversed(board[max(row - 1, 0) : row + 2])
            for square in rows[max(column - 1, 0) : column + 2]
            if square[1] != (column, row)
        )
        for row in range(size)
        for column in range(size)
    )


def _choices(size: int, here: Place, held: Mapping[Place, int], number: int) -> tuple[Cell, ...]:
    """Return the squares around the last number that are empty, or hold one with which this number shares a factor."""
    return tuple(
        [cell for place, cell in _around(size)[here] if place not in held or gcd(held[place], number) > 1]
    )


def _refusal(state: CocompositeState, move: Cell) -> Illegal:
    """Return the reason why the next number may not be written in a square."""
    check_on_board(move, state.size, state.size)
    last, _ = state.walk[-1]
    if move == last:
        return Illegal(
            f"{state.number - 2} stands on {last}; {state.number} goes next to it.",
            rule="apart",
            marks=[str(last)],
        )
    if max(abs(move.column - last.column), abs(move.row - last.row)) != 1:
        return Illegal(
            f"{move} is not one of the eight squares around {last}, where {state.number - 2} stands.",
            rule="apart",
            marks=[str(last)],
        )
    held = state.written[move]
    if len(held) == 2:
        return Illegal(
            f"{move} already holds two numbers, {held[0]} and {held[1]}; no square holds three.",
            rule="full",
            marks=[str(move)],
        )
    factors = list(map(str, dict.fromkeys(primes(state.number))))
    needs = "is prime, so it needs an empty square"
    if factors != [str(state.number)]:
        needs = f"needs an empty square or a multiple of {joined(factors, 'or')}"
    return Illegal(
        f"{state.number} {needs}; {move} holds {held[0]}.", rule="no common factor", marks=[str(move)]
    )
