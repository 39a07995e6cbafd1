"""Alaric's fast position: each side's stones as the bits of an integer. A move's code is its cell, counted from 0."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Self

from rules.core.game import Seat
from rules.games.alaric import AlaricState
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


Key = tuple[int, int, int, Seat]
"""All that must be the same for a repetition: the stones of the mover and those of the opponent, each written twice,
the cells forbidden to the mover, and the mover."""

_BITS = 13
"""Cells that are looked up together: those of a ring of the standard size."""
_PART = (1 << _BITS) - 1


@cache
def _table(start: int) -> Sequence[tuple[int, ...]]:
    """Return the members of each set of a part of the cells, which begins at `start`, ascending."""
    return [tuple(start + cell for cell in range(_BITS) if part >> cell & 1) for part in range(_PART + 1)]


@cache
def _ring(size: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return for each cell bits of a ring that is written twice: the cell, the next, the one before, all below it."""
    full = (1 << size) - 1
    return tuple(
        ((1 << size | 1) << cell, 2 << cell, 1 << size + cell - 1, full << cell | (1 << cell) - 1)
        for cell in range(size)
    )


_BELOW = tuple((1 << cell) - 1 for cell in range(81))
"""For each number of cells as many bits."""


class AlaricPosition(SearchPosition):
    """The stones on the ring, the cells `forbidden` to the mover, and how often each position stood.

    `own` are the stones of the mover and `enemy` those of the opponent, each written twice, so that no run crosses the
    end. `free` are the cells without a stone, and `open` those of them that are not forbidden. `past` counts the
    positions of the match and is shared by all copies; `since` counts those that were reached in the search, there and
    in the match.
    """

    __slots__ = (
        "endless",
        "enemy",
        "forbidden",
        "free",
        "last",
        "open",
        "own",
        "past",
        "ring",
        "since",
        "size",
    )

    def __init__(self, size: int, stones: tuple[int, int], forbidden: int, mover: Seat) -> None:
        first, second = stones
        own, enemy = (first, second) if mover == 0 else (second, first)
        self.size, self.ring = size, _ring(size)
        self.own, self.enemy = own << size | own, enemy << size | enemy
        self.free = _BELOW[size] & ~(first | second)
        self.forbidden, self.open = forbidden, self.free & ~forbidden
        self.mover = mover
        self.past: Mapping[Key, int] = {}
        self.since: dict[Key, int] = {}
        self.endless = False
        self.last: int | None = None

    @classmethod
    def of(cls, state: AlaricState) -> Self:
        own, enemy, forbidden, mover = state.standing
        position = cls(state.size, (own, enemy) if mover == 0 else (enemy, own), forbidden, mover)
        size = state.size
        position.past = Counter(
            [
                (own << size | own, enemy << size | enemy, forbidden, mover)
                for own, enemy, forbidden, mover in (*state.stood, state.standing)
            ]
        )
        position.endless = state.endless
        position.last = state.last
        return position

    @property
    def seen(self) -> tuple[int, int, int]:
        """The stones of the mover, those of the opponent, and the cells forbidden to the mover."""
        ring = _BELOW[self.size]
        return self.own & ring, self.enemy & ring, self.forbidden

    @property
    def key(self) -> Key:
        """All that must be the same for a repetition."""
        return self.own, self.enemy, self.forbidden, self.mover

    def stood(self, key: Key) -> int:
        """Return how often a position stood so far."""
        return self.since.get(key) or self.past.get(key, 0)

    def moves(self) -> Sequence[int]:
        if self.endless:
            return ()
        free = self.open
        if free <= _PART:
            return _table(0)[free]
        found, start = _table(0)[free & _PART], _BITS
        while later := free >> start:
            found += _table(start)[later & _PART]
            start += _BITS
        return found

    def play(self, code: int) -> None:
        enemy = self.enemy
        cell, after, before, below = self.ring[code]
        own, taken = self.own | cell, 0
        self.open = free = self.free & ~cell  # what is taken now is forbidden
        if enemy & (after | before):
            if enemy & after:
                run = enemy >> code + 1
                bound = ~run & run + 1  # the first cell after the run
                if own >> code + 1 & bound:
                    taken = bound - 1 << code + 1
            if enemy & before:
                start = (enemy & below ^ below).bit_length()  # the first cell of the run
                if own >> start - 1 & 1:
                    taken |= below ^ _BELOW[start]
            if taken:
                size = self.size
                taken = (taken | taken >> size) & _BELOW[size]
                free |= taken
                enemy ^= taken << size | taken
        self.mover = mover = 1 - self.mover
        self.own, self.enemy, self.free, self.forbidden, self.last = enemy, own, free, taken, code
        key, since = (enemy, own, taken, mover), self.since
        times = since.get(key)
        since[key] = times = (self.past.get(key, 0) if times is None else times) + 1
        if times >= 3:
            self.endless = True

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.size, twin.ring = self.size, self.ring
        twin.own, twin.enemy, twin.free, twin.open = self.own, self.enemy, self.free, self.open
        twin.forbidden, twin.mover, twin.last = self.forbidden, self.mover, self.last
        twin.past, twin.since, twin.endless = self.past, self.since.copy(), self.endless
        return twin

    def shares(self) -> Shares:
        own, enemy = self.own.bit_count(), self.enemy.bit_count()
        if self.endless or own == enemy:
            return 0.5, 0.5
        return (1.0, 0.0) if (own > enemy) == (self.mover == 0) else (0.0, 1.0)

    def playout(self, chance: random.Random, trace: Trace | None) -> Shares:
        """Play at random. Repetitions are not looked for: a game that takes too long counts as a draw."""
        if self.endless:
            return 0.5, 0.5
        size, ring, own, enemy, free = self.size, self.ring, self.own, self.enemy, self.free
        taken, mover, pick, table = self.forbidden, self.mover, chance.random, _table(0)
        for _ in range(20 * size):
            open_ = free & ~taken
            if not open_:
                break
            if open_ <= _PART:
                codes = table[open_]
                code = codes[int(pick() * len(codes))]
            else:
                number = int(pick() * open_.bit_count())
                part, start = open_ & _PART, 0
                while number >= (passed := part.bit_count()):
                    number -= passed
                    start += _BITS
                    part = open_ >> start & _PART
                code = start + table[part][number]
            if trace is not None:
                trace[mover].append(code)
            cell, after, before, below = ring[code]
            own |= cell
            free &= ~cell
            taken = 0
            if enemy & after:
                run = enemy >> code + 1
                bound = ~run & run + 1
                if own >> code + 1 & bound:
                    taken = bound - 1 << code + 1
            if enemy & before:
                start = (enemy & below ^ below).bit_length()
                if own >> start - 1 & 1:
                    taken |= below ^ _BELOW[start]
            if taken:
                taken = (taken | taken >> size) & _BELOW[size]
                free |= taken
                enemy ^= taken << size | taken
            own, enemy = enemy, own
            mover = 1 - mover
        else:
            return 0.5, 0.5
        mine, theirs = own.bit_count(), enemy.bit_count()
        if mine == theirs:
            return 0.5, 0.5
        return (1.0, 0.0) if (mine > theirs) == (mover == 0) else (0.0, 1.0)


def parts(size: int, key: Key) -> tuple[tuple[int, int, int], Seat]:
    """Return the stones of the mover, those of the opponent and the cells forbidden to the mover, and the mover."""
    own, enemy, forbidden, mover = key
    return (own >> size, enemy >> size, forbidden), mover
