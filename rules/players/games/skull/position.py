"""Skull's fast position: sets of cells as the bits of an integer. A move's code is its cell, row by row from a1."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Self

from rules.games.skull import SkullState
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


def members(cells: int) -> list[int]:
    """Return the members of a set of cells, ascending."""
    found = []
    while cells:
        bit = cells & -cells
        found.append(bit.bit_length() - 1)
        cells ^= bit
    return found


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
        """Return the position of a state of the rules."""
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
        return members(self.near | self.far if self.laid else self.untouched)

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
