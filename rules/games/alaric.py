"""Alaric: Bill Taylor, rec.games.abstract, 3 June 2009. The game of Arak, closed into a ring."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from rules.core.errors import Illegal
from rules.core.game import Game, Option, Seat, Sheet
from rules.core.notation import read_number
from rules.core.prompt import NumberPrompt
from rules.core.symmetry import TextTurn

Stones = tuple[Seat | None, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """All that must be the same for a repetition: stones (index 0 is cell 1), cells forbidden to `mover`, `mover`."""

    stones: Stones
    forbidden: frozenset[int]
    mover: Seat


@dataclass(frozen=True, slots=True)
class AlaricState:
    """The position and all earlier ones, oldest first. Cells count from 0 here and from 1 in texts."""

    now: Position
    before: tuple[Position, ...] = ()
    last: int | None = None

    @property
    def endless(self) -> bool:
        """The position stands for the third time."""
        return self.before.count(self.now) >= 2


@dataclass(frozen=True, slots=True)
class AlaricView:
    """The view of everyone, in cells counted from 1.

    `stones[i]` is the owner of cell i + 1 or None; `forbidden` and `choices` concern the player on turn; `taken` are
    the cells that the last move emptied.
    """

    stones: Stones
    forbidden: tuple[int, ...]
    choices: tuple[int, ...]
    last: int | None
    taken: tuple[int, ...]
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
    options = (Option("size", 13, 1, 40, "cells on the ring"),)
    sizes = MappingProxyType({"quick": {"size": 9}, "standard": {"size": 13}, "long": {"size": 21}})

    def start(self, options: Mapping[str, int], players: int) -> AlaricState:
        return AlaricState(Position((None,) * options["size"], frozenset(), 0))

    def to_move(self, state: AlaricState) -> tuple[Seat, ...]:
        return (state.now.mover,) if self.legal(state) else ()

    def legal(self, state: AlaricState) -> tuple[int, ...]:
        if state.endless:
            return ()
        now = state.now
        return tuple(
            cell for cell, owner in enumerate(now.stones) if owner is None and cell not in now.forbidden
        )

    def parse(self, state: AlaricState, seat: Seat | None, text: str) -> int:
        return read_number(text, "cell", self._example(state)) - 1

    def format(self, move: int) -> str:
        return str(move + 1)

    def apply(self, state: AlaricState, seat: Seat | None, move: int) -> AlaricState:
        now = state.now
        if not 0 <= move < len(now.stones):
            raise Illegal(
                f"There is no cell {move + 1}: the ring has cells 1 to {len(now.stones)}.",
                rule="off the ring",
            )
        if now.stones[move] is not None:
            raise Illegal(f"Cell {move + 1} already holds a stone.", rule="taken", marks=[str(move + 1)])
        if move in now.forbidden:
            raise Illegal(
                f"Cell {move + 1} is forbidden to you for this one move, because your stone there was just captured.",
                rule="forbidden",
                marks=[str(cell + 1) for cell in sorted(now.forbidden)],
            )
        stones = list(now.stones)
        stones[move] = now.mover
        captured = _run(stones, move, 1) | _run(stones, move, -1)
        for cell in captured:
            stones[cell] = None
        after = Position(tuple(stones), captured, 1 - now.mover)
        return AlaricState(after, (*state.before, now), move)

    def scores(self, state: AlaricState) -> tuple[int, int]:
        stones = state.now.stones
        return stones.count(0), stones.count(1)

    def winners(self, state: AlaricState) -> tuple[Seat, ...] | None:
        if self.legal(state):
            return None
        first, second = self.scores(state)
        if state.endless or first == second:
            return (0, 1)
        return (0,) if first > second else (1,)

    def position(self, state: AlaricState) -> Position:
        return state.now

    def turns(self, options: Mapping[str, int]) -> tuple[TextTurn, ...]:
        size = options["size"]
        turns: list[TextTurn] = []
        for way in (1, -1):
            turns += [
                partial(_turned, size, way, offset) for offset in range(size) if (way, offset) != (1, 0)
            ]
        return tuple(turns)

    def observe(self, state: AlaricState, seat: Seat | None) -> AlaricView:
        now = state.now
        forbidden = tuple(cell + 1 for cell in sorted(now.forbidden))
        return AlaricView(
            stones=now.stones,
            forbidden=forbidden,
            choices=tuple(cell + 1 for cell in self.legal(state)),
            last=None if state.last is None else state.last + 1,
            taken=forbidden,
            endless=state.endless,
        )

    def prompt(self, state: AlaricState, seat: Seat) -> NumberPrompt:
        choices = tuple(self.format(cell) for cell in self.legal(state))
        return NumberPrompt("Place a stone on an empty cell.", self._example(state), choices)

    def _example(self, state: AlaricState) -> str:
        return self.format(next(iter(self.legal(state)), 0))


def _run(stones: list[Seat | None], start: int, step: int) -> frozenset[int]:
    """The enemy run that begins next to the stone on `start`, if a stone of the same owner ends it, else nothing."""
    size, owner = len(stones), stones[start]
    run: set[int] = set()
    cell = (start + step) % size
    while stones[cell] == 1 - (owner or 0):
        run.add(cell)
        cell = (cell + step) % size
    return frozenset(run) if stones[cell] == owner else frozenset()


def _turned(size: int, way: int, offset: int, text: str) -> str:
    """Return the cell of `text` on the ring turned by `offset` cells, and first mirrored if `way` is -1."""
    return str((way * (int(text) - 1) + offset) % size + 1)
