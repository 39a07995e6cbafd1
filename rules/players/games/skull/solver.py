"""Skull solved by search. What counts is the cells that may be taken at either end and those that nothing touched."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Self

from rules.core.bits import places
from rules.games.skull import SkullState
from rules.players.player import BudgetSpent
from rules.players.position import SearchPosition, Shares, Trace


@cache
def neighbours(width: int, height: int) -> tuple[int, ...]:
    """Return for each cell the set of those straight beside it."""
    return tuple(
        (1 << cell - 1 if cell % width else 0)
        | (1 << cell + 1 if (cell + 1) % width else 0)
        | (1 << cell - width if cell >= width else 0)
        | (1 << cell + width if cell < width * (height - 1) else 0)
        for cell in range(width * height)
    )


class SkullPosition(SearchPosition):
    """The cells that are beside the ends of the path and the cells that no skull has touched.

    `near` and `far` hold the cells that may be taken at either end; a single skull has all of its cells in `near` and
    nothing in `far`, like a path with one end. Shape and place of the rest of the path do not matter any more.
    `skulls` are all cells of the path; `laid` counts them up to two.
    """

    __slots__ = ("beside", "far", "laid", "near", "skulls", "untouched", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width, self.beside = width, neighbours(width, height)
        self.near = self.far = self.skulls = self.laid = self.mover = 0
        self.untouched = (1 << width * height) - 1

    @classmethod
    def of(cls, state: SkullState) -> Self:
        width = state.width
        position = cls(width, state.height)
        skulls = [cell.row * width + cell.column for cell in state.path]
        once = twice = taken = 0
        for skull in skulls:
            twice |= once & position.beside[skull]
            once |= position.beside[skull]
            taken |= 1 << skull
        free = once & ~twice & ~taken
        if skulls:
            position.near = position.beside[skulls[0]] & free
        if len(skulls) > 1:
            position.far = position.beside[skulls[-1]] & free
        position.untouched &= ~once & ~taken
        position.skulls = taken
        position.mover = len(skulls) % 2
        position.laid = min(len(skulls), 2)
        return position

    def moves(self) -> Sequence[int]:
        return places(self.near | self.far if self.laid else self.untouched)

    def play(self, code: int) -> None:
        bit, beside = 1 << code, self.beside[code]
        if self.laid == 0:
            self.near, self.untouched = beside, self.untouched & ~bit & ~beside
        elif self.laid == 1:
            # Cells beside two neighbouring skulls do not exist: a square board has no triangles.
            self.near, self.far = self.near & ~bit, beside & self.untouched
            self.untouched &= ~beside
        else:
            grown = beside & self.untouched
            self.untouched &= ~beside
            if self.near & bit:
                self.near, self.far = grown, self.far & ~beside
            else:
                self.near, self.far = self.near & ~beside, grown
        self.skulls |= bit
        self.laid = min(self.laid + 1, 2)
        self.mover = 1 - self.mover

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.width, twin.beside = self.width, self.beside
        twin.near, twin.far, twin.untouched = self.near, self.far, self.untouched
        twin.skulls, twin.laid, twin.mover = self.skulls, self.laid, self.mover
        return twin

    def shares(self) -> Shares:
        return (0.0, 1.0) if self.mover == 0 else (1.0, 0.0)

    def playout(self, chance: random.Random, trace: Trace | None) -> Shares:
        pick = chance.random
        while self.laid < 2 and (codes := self.moves()):
            code = codes[int(pick() * len(codes))]
            if trace is not None:
                trace[self.mover].append(code)
            self.play(code)
        beside, near, far, untouched, mover = self.beside, self.near, self.far, self.untouched, self.mover
        while free := near | far:
            left = int(pick() * free.bit_count())
            while left:
                free &= free - 1
                left -= 1
            bit = free & -free
            code = bit.bit_length() - 1
            touched = beside[code]
            if near & bit:
                near, far = touched & untouched, far & ~touched
            else:
                near, far = near & ~touched, touched & untouched
            untouched &= ~touched
            if trace is not None:
                trace[mover].append(code)
            mover = 1 - mover
        return (0.0, 1.0) if mover == 0 else (1.0, 0.0)


class Solver:
    """A solver of one board. `looked` counts the positions looked at, of which there may be `limit`."""

    def __init__(self, width: int, height: int, limit: int) -> None:
        self.looked = 0
        self.limit = limit
        self._width = width
        self._beside = neighbours(width, height)
        every = (1 << width * height) - 1
        left = sum(1 << width * row for row in range(height))
        self._not_left, self._not_right = every & ~left, every & ~(left << (width - 1))
        self._every = every
        self._known: dict[tuple[int, int, int], bool] = {}
        self._nimbers: dict[tuple[int, int], int] = {}

    def opens(self, cell: int) -> bool:
        """Return True if the player who lays the first skull on a cell wins."""
        beside = self._beside[cell]
        untouched = self._every & ~beside & ~(1 << cell)
        rest = beside
        while rest:
            bit = rest & -rest
            rest ^= bit
            grown = self._beside[bit.bit_length() - 1] & untouched
            if not self.wins(beside & ~bit, grown, untouched & ~grown):
                return False
        return True

    def wins(self, near: int, far: int, untouched: int) -> bool:
        """Return True if the player on turn wins. `near` and `far` may be taken, at either end of the path.

        Raises BudgetSpent.
        """
        if not near or not far:
            return self._nimber(near | far, untouched) != 0
        by_near, by_far = self._reach(near, untouched), self._reach(far, untouched)
        if not by_near & by_far and not self._grow(near) & far:
            # The ends never meet again: two games side by side, of which the player on turn moves in one.
            return self._nimber(near, by_near) != self._nimber(far, by_far)
        untouched = by_near | by_far
        key = (near, far, untouched) if near < far else (far, near, untouched)
        known = self._known.get(key)
        if known is None:
            self._count()
            known = self._known[key] = self._search(near, far, untouched)
        return known

    def _search(self, near: int, far: int, untouched: int) -> bool:
        beside = self._beside
        after: list[tuple[int, int, int, int]] = []
        for end, other in ((near, far), (far, near)):
            rest = end
            while rest:
                bit = rest & -rest
                rest ^= bit
                touched = beside[bit.bit_length() - 1]
                grown, kept = touched & untouched, other & ~touched
                if not grown and not kept:
                    return True
                after.append(((grown | kept).bit_count(), grown, kept, untouched & ~touched))
        after.sort()  # the fewest replies first: they are refuted soonest
        return any(not self.wins(grown, kept, left) for _, grown, kept, left in after)

    def _nimber(self, near: int, untouched: int) -> int:
        """Return the size of the Nim heap that a path with one end stands for."""
        if not near:
            return 0
        reach = self._reach(near, untouched)
        known = self._nimbers.get((near, reach))
        if known is None:
            self._count()
            found, rest = 0, near
            while rest:
                bit = rest & -rest
                rest ^= bit
                touched = self._beside[bit.bit_length() - 1]
                found |= 1 << self._nimber(touched & reach, reach & ~touched)
            known = self._nimbers[near, reach] = (~found & (found + 1)).bit_length() - 1
        return known

    def _count(self) -> None:
        self.looked += 1
        if self.looked > self.limit:
            raise BudgetSpent

    def _grow(self, cells: int) -> int:
        width = self._width
        return (
            (cells & self._not_right) << 1 | (cells & self._not_left) >> 1 | cells << width | cells >> width
        )

    def _reach(self, near: int, untouched: int) -> int:
        """Return the untouched cells that a path through `near` may come to."""
        reach = self._grow(near) & untouched
        while (grown := (reach | self._grow(reach)) & untouched) != reach:
            reach = grown
        return reach
