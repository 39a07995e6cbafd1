"""Alaric: Bill Taylor, rec.games.abstract, 3 June 2009. The game of Arak, closed into a ring."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.core.bits import Bits, numbers
from rules.core.errors import Illegal
from rules.core.game import Game, Option, Seat, Sheet, frozen
from rules.core.notation import read_number
from rules.core.prompt import NumberPrompt

Stones = tuple[Seat | None, ...]

Standing = tuple[Bits, Bits, Bits, Seat]
"""The stones of the player on turn, those of the opponent, the cells forbidden to the player on turn, and that player:
all that must be the same for a repetition. Cells count from 0, and cell 0 is the lowest bit."""


@dataclass(frozen=True, slots=True)
class Position:
    """The ring, for reading: stones (index 0 is cell 1), cells forbidden to `mover`, `mover`."""

    stones: Stones
    forbidden: frozenset[int]
    mover: Seat


@frozen
class AlaricState:
    """The ring now and as it was before, oldest first.

    `endless` is True if the position occurs for the third time. On the `free` cells the player on turn may place a
    stone.

    Cells count from 0 here and from 1 in texts.
    """

    size: int
    standing: Standing
    stood: tuple[Standing, ...] = ()
    last: int | None = None
    free: tuple[int, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, now: Position, before: tuple[Position, ...] = (), last: int | None = None) -> "AlaricState":
        """Return the state after these positions."""
        return _state(len(now.stones), _standing(now), tuple(map(_standing, before)), last)

    @property
    def endless(self) -> bool:
        """True if the same stands there for the third time."""
        own, enemy, forbidden, _ = self.standing
        return not self.free and own | enemy | forbidden != _ALL[self.size]

    @property
    def now(self) -> Position:
        return _position(self.size, self.standing)

    @property
    def before(self) -> tuple[Position, ...]:
        return tuple(_position(self.size, standing) for standing in self.stood)


@dataclass(frozen=True, slots=True)
class AlaricView:
    """The view of everyone, in cells counted from 1.

    `stones[i]` is the owner of cell i + 1 or None; `forbidden` and `choices` concern the player on turn; `taken` are
    the cells that the last move emptied. `before` and `taken_before` are the same of the move before the last one.
    """

    stones: Stones
    forbidden: tuple[int, ...]
    choices: tuple[int, ...]
    last: int | None
    taken: tuple[int, ...]
    before: int | None
    taken_before: tuple[int, ...]
    endless: bool


class Alaric(Game[AlaricState, int]):
    """Stones on a ring: enclose runs of the opponent's to remove them; the fuller ring wins."""

    key = "alaric"
    sheet = Sheet(
        title="Alaric",
        author="Bill Taylor",
        year=2009,
        place="posted to rec.games.abstract, 3 June 2009; Arak, the one-dimensional cousin of Go, closed to a ring",
        pitch="Go on a ring: all tactics, and nothing is safe until the last stone.",
        goal="Own more stones than your opponent when somebody cannot move.",
        play=(
            "Take turns to place one stone of yours on an empty cell of the ring.",
            (
                "Your new stone captures: from it, look both ways round. A run of enemy stones that ends at a stone of"
                " yours (even the new one itself, all the way round) is taken off. Both sides count at once."
            ),
            "Cells that were just emptied are forbidden to the player who lost the stones, for one move only.",
            "You may place a stone between two enemy stones: it is not captured until a new enemy stone encloses it.",
        ),
        end="When the player on turn has no cell to play, the game ends and the player with more stones wins.",
        example="On a ring of 7 with enemy stones on 3 and 4 and yours on 5, playing 2 takes 3 and 4 off; your"
        " opponent may not play on 3 or 4 in the next move.",
        house=(
            "Equal numbers of stones at the end are a draw.",
            (
                "When the same position (stones, forbidden cells, player on turn) stands for the third time, the game"
                " is a draw; on larger rings perfect players would otherwise never finish."
            ),
        ),
    )
    usual_points = 1
    options = (Option("size", 13, 1, 40, "cells on the ring"),)
    sizes = MappingProxyType({"quick": {"size": 9}, "standard": {"size": 13}, "long": {"size": 21}})

    def start(self, options: Mapping[str, int], players: int) -> AlaricState:
        return _state(options["size"], (0, 0, 0, 0), (), None)

    def to_move(self, state: AlaricState) -> tuple[Seat, ...]:
        return (state.standing[3],) if state.free else ()

    def legal(self, state: AlaricState) -> tuple[int, ...]:
        return state.free

    def parse(self, state: AlaricState, seat: Seat | None, text: str) -> int:
        return read_number(text, "cell", self._example(state)) - 1

    def format(self, move: int) -> str:
        return str(move + 1)

    def apply(self, state: AlaricState, seat: Seat | None, move: int) -> AlaricState:
        if move not in state.free:
            raise _refusal(state, move)
        size, standing = state.size, state.standing
        own, enemy, _, mover = standing
        own |= 1 << move
        taken = 0
        if enemy & _BESIDE[size][move]:
            taken = captured(own, enemy, move, size)
            enemy &= ~taken
        return _state(size, (enemy, own, taken, 1 - mover), (*state.stood, standing), move)

    def scores(self, state: AlaricState) -> tuple[int, int]:
        own, enemy, _, mover = state.standing
        first, second = (own, enemy) if mover == 0 else (enemy, own)
        return first.bit_count(), second.bit_count()

    def winners(self, state: AlaricState) -> tuple[Seat, ...] | None:
        if state.free:
            return None
        first, second = self.scores(state)
        if state.endless or first == second:
            return (0, 1)
        return (0,) if first > second else (1,)

    def position(self, state: AlaricState) -> Hashable:
        return state.size, state.standing

    def canonical(self, state: AlaricState) -> object:
        # The player on turn is left out: what is best for one seat is best for the other, too.
        size, full = state.size, _ALL[state.size]
        own, enemy, forbidden, _ = state.standing
        around = [cells << size | cells for cells in (own, enemy, forbidden)]
        digits = (f"{cells:0{size}b}"[::-1] for cells in (own, enemy, forbidden))
        mirrored = [cells << size | cells for cells in (int(it, 2) for it in digits)]
        return min(
            (own >> offset & full, enemy >> offset & full, forbidden >> offset & full)
            for own, enemy, forbidden in (around, mirrored)
            for offset in range(size)
        )

    def observe(self, state: AlaricState, seat: Seat | None) -> AlaricView:
        now = state.now
        forbidden = tuple(cell + 1 for cell in sorted(now.forbidden))
        return AlaricView(
            stones=now.stones,
            forbidden=forbidden,
            choices=tuple(cell + 1 for cell in self.legal(state)),
            last=None if state.last is None else state.last + 1,
            taken=forbidden,
            before=_move_before(state),
            taken_before=tuple(cell + 1 for cell in numbers(state.stood[-1][2])) if state.stood else (),
            endless=state.endless,
        )

    def prompt(self, state: AlaricState, seat: Seat) -> NumberPrompt:
        choices = tuple(self.format(cell) for cell in self.legal(state))
        ask = "Place a stone on a numbered cell."
        if state.standing[2]:
            ask += " Crossed-out cells are forbidden this turn: your stones there were just captured."
        return NumberPrompt(
            ask,
            self._example(state),
            choices,
            green="Green buttons capture as many stones as they say.",
        )

    def _example(self, state: AlaricState) -> str:
        return self.format(next(iter(self.legal(state)), 0))


def captured(own: Bits, enemy: Bits, cell: int, size: int) -> Bits:
    """Return the enemy stones that a new stone, which `own` includes already, captures.

    They are the run on either side of the new stone if another own stone ends the run, or the new stone itself.
    """
    # The ring is turned so that the new stone is on cell 0, where a walk round the ring begins, and on cell `size`,
    # where it ends.
    own = own << size - cell | own >> cell
    enemy = (enemy << size - cell | enemy >> cell) & (1 << size) - 1
    # The lowest cell above 0, and the highest below `size`, without an enemy.
    upper, lower = enemy + 2 & ~enemy, 1 << (enemy ^ (1 << size) - 1).bit_length() - 1
    taken = 0
    if own & upper:
        taken = upper - 2
    if own & lower:
        taken |= (1 << size) - 2 * lower
    return (taken << cell | taken >> size - cell) & (1 << size) - 1


_ALL = tuple((1 << size) - 1 for size in range(41))
"""For each size all cells."""

_BESIDE = tuple(
    tuple(1 << (cell + 1) % size | 1 << (cell - 1) % size for cell in range(size)) for size in range(41)
)
"""For each size and cell the two cells beside it."""


def _state(size: int, standing: Standing, stood: tuple[Standing, ...], last: int | None) -> AlaricState:
    """Return the state with all that follows from what stands there, and stood before."""
    if stood.count(standing) >= 2:
        return AlaricState(size, standing, stood, last)
    own, enemy, forbidden, _ = standing
    return AlaricState(size, standing, stood, last, numbers(_ALL[size] ^ (own | enemy | forbidden)))


def _standing(position: Position) -> Standing:
    mover = position.mover
    own, enemy = (
        sum(1 << cell for cell, owner in enumerate(position.stones) if owner == seat)
        for seat in (mover, 1 - mover)
    )
    return own, enemy, sum(1 << cell for cell in position.forbidden), mover


def _position(size: int, standing: Standing) -> Position:
    own, enemy, forbidden, mover = standing
    stones = tuple(
        mover if own >> cell & 1 else 1 - mover if enemy >> cell & 1 else None for cell in range(size)
    )
    return Position(stones, frozenset(numbers(forbidden)), mover)


def _move_before(state: AlaricState) -> int | None:
    """Return the cell of the move before the last one, counted from 1; None if there is none."""
    if len(state.stood) < 2:
        return None
    (own, _, _, _), (_, enemy, _, _) = state.stood[-2:]
    return (enemy & ~own).bit_length()


def _refusal(state: AlaricState, move: int) -> Illegal:
    """Return the reason why no stone may be placed on a cell that is not free."""
    now = state.now
    if not 0 <= move < state.size:
        return Illegal(
            f"There is no cell {move + 1}: the ring has cells 1 to {state.size}.", rule="off the ring"
        )
    if now.stones[move] is not None:
        return Illegal(
            f"Cell {move + 1} already holds a stone; choose an empty cell.",
            rule="taken",
            marks=[str(move + 1)],
        )
    captor = "the last stone" if state.last is None else f"the stone on {state.last + 1}"
    return Illegal(
        f"Cell {move + 1} is forbidden to you for this one move, because {captor} has just captured yours there.",
        rule="forbidden",
        marks=[] if state.last is None else [str(state.last + 1)],
    )
