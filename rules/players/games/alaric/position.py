"""Alaric's fast position: each side's stones as the bits of an integer. A move's code is its cell, counted from 0."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Self

from rules.core.game import Seat
from rules.games.alaric import AlaricState, Standing
from rules.players.position import SearchPosition, Shares, Trace


def captured(own: int, enemy: int, cell: int, size: int) -> int:
    """Return the enemy stones that a new stone of one's own on `cell` takes off. `own` need not hold it."""
    if size == 1:
        return 0
    rest = size - 1
    # Both sets are turned round so that bit 0 is the next cell after `cell`, and `cell` itself is left out.
    turn = (cell + 1) % size
    back = size - turn
    full = (1 << rest) - 1
    foes = (enemy >> turn | enemy << back) & full
    friends = own >> turn | own << back
    taken = 0
    if foes & 1:
        bound = ~foes & (foes + 1)  # the first cell after the run; beyond `full` it is the new stone itself
        if friends & bound or bound > full:
            taken = bound - 1
    if foes >> rest - 1:
        length = (foes ^ full).bit_length()  # the run's cells are above this one
        if not length or friends >> (length - 1) & 1:
            taken |= full >> length << length
    return (taken << turn | taken >> back) & ((1 << size) - 1) if taken else 0


Key = tuple[int, int, int, int]
"""Stones of both seats, cells forbidden to the mover, mover: all that must be the same for a repetition."""

_CELLS: dict[int, tuple[int, ...]] = {}
"""The members of sets that were asked for, up to a limit."""
_MOST = 1 << 16


def cells(members: int) -> tuple[int, ...]:
    """Return the members of a set of cells, ascending."""
    found = _CELLS.get(members)
    if found is None:
        if len(_CELLS) >= _MOST:
            _CELLS.clear()
        found = tuple(cell for cell in range(members.bit_length()) if members >> cell & 1)
        _CELLS[members] = found
    return found


@cache
def neighbours(size: int) -> tuple[int, ...]:
    """Return for each cell the set of the two beside it."""
    return tuple(1 << (cell + 1) % size | 1 << (cell - 1) % size for cell in range(size))


class AlaricPosition(SearchPosition):
    """`stones` of both seats, cells `forbidden` to the mover, and how often each position stood.

    `past` counts the positions of the match and is shared by all copies; `since` counts those of the search.
    """

    __slots__ = ("endless", "forbidden", "last", "past", "since", "size", "stones")

    def __init__(self, size: int, stones: tuple[int, int], forbidden: int, mover: Seat) -> None:
        self.size = size
        self.stones = stones
        self.forbidden = forbidden
        self.mover = mover
        self.past: Mapping[Key, int] = {}
        self.since: dict[Key, int] = {}
        self.endless = False
        self.last: int | None = None

    @classmethod
    def of(cls, state: AlaricState) -> Self:
        """Return the position of a state of the rules."""
        past = [_key(standing) for standing in (*state.stood, state.standing)]
        first, second, forbidden, mover = past[-1]
        position = cls(state.size, (first, second), forbidden, mover)
        position.past = Counter(past)
        position.endless = state.endless
        position.last = state.last
        return position

    @property
    def key(self) -> Key:
        """All that must be the same for a repetition."""
        return (*self.stones, self.forbidden, self.mover)

    def stood(self, key: Key) -> int:
        """Return how often a position stood so far."""
        return self.past.get(key, 0) + self.since.get(key, 0)

    def moves(self) -> Sequence[int]:
        if self.endless:
            return ()
        first, second = self.stones
        return cells(((1 << self.size) - 1) & ~(first | second | self.forbidden))

    def play(self, code: int) -> None:
        first, second = self.stones
        if self.mover == 0:
            taken = captured(first, second, code, self.size)
            self.stones = (first | 1 << code, second & ~taken)
        else:
            taken = captured(second, first, code, self.size)
            self.stones = (first & ~taken, second | 1 << code)
        self.forbidden = taken
        self.last = code
        self.mover = 1 - self.mover
        key = self.key
        times = self.stood(key) + 1
        self.since[key] = times - self.past.get(key, 0)
        self.endless = times >= 3

    def copy(self) -> Self:
        twin = type(self)(self.size, self.stones, self.forbidden, self.mover)
        twin.past = self.past
        twin.since = self.since.copy()
        twin.endless, twin.last = self.endless, self.last
        return twin

    def shares(self) -> Shares:
        first, second = (stones.bit_count() for stones in self.stones)
        if self.endless or first == second:
            return 0.5, 0.5
        return (1.0, 0.0) if first > second else (0.0, 1.0)

    def playout(self, chance: random.Random, trace: Trace | None) -> Shares:
        """Play at random. Repetitions are not looked for: a game that takes too long counts as a draw."""
        if self.endless:
            return 0.5, 0.5
        size = self.size
        full = (1 << size) - 1
        own, enemy = self.stones if self.mover == 0 else self.stones[::-1]
        forbidden, mover, pick = self.forbidden, self.mover, chance.random
        known, beside = _CELLS.get, neighbours(size)
        for _ in range(20 * size):
            free = full & ~(own | enemy | forbidden)
            if not free:
                break
            codes = known(free) or cells(free)
            code = codes[int(pick() * len(codes))]
            if trace is not None:
                trace[mover].append(code)
            own |= 1 << code
            if enemy & beside[code] and (forbidden := captured(own, enemy, code, size)):
                own, enemy = enemy & ~forbidden, own
            else:
                forbidden = 0
                own, enemy = enemy, own
            mover = 1 - mover
        else:
            return 0.5, 0.5
        mine, theirs = own.bit_count(), enemy.bit_count()
        if mine == theirs:
            return 0.5, 0.5
        return (1.0, 0.0) if (mine > theirs) == (mover == 0) else (0.0, 1.0)


def _key(standing: Standing) -> Key:
    own, enemy, forbidden, mover = standing
    return (own, enemy, forbidden, mover) if mover == 0 else (enemy, own, forbidden, mover)
