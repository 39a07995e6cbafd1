"""The fast position of Uncooked Spaghetti and Square Meatballs."""

import random
from collections.abc import Sequence
from typing import Self

from rules.core.bits import Bits, members
from rules.games.spaghetti import SpaghettiState
from rules.players.games.spaghetti.tables import Tables, tables
from rules.players.position import SearchPosition, Shares, Trace

WIN, TIE, LOSS = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)


class SpaghettiPosition(SearchPosition):
    """Codes below `table.count` are lines, those from there on squares.

    `left` squares are still to be filled; `open` are the lines that may be drawn by the squares and ends so far, and
    `drawn` those that were. `lead` is the number of points by which seat 0 leads.
    """

    __slots__ = ("_codes", "drawn", "filled", "lead", "left", "open", "table")

    def __init__(self, state: SpaghettiState) -> None:
        self.table: Tables = tables(state.size)
        self.mover = state.mover
        self.left = state.size - len(state.filled)
        self.filled: Bits = sum(1 << self.table.number[square] for square in state.filled)
        self.open: Bits = state.open
        self.drawn: Bits = sum(1 << self.table.code[line] for line in state.lines)
        self.lead = state.points[0] - state.points[1]
        self._codes: Sequence[int] | None = None

    def moves(self) -> Sequence[int]:
        if self._codes is None:
            self._codes = self._squares() if self.left else self._lines()
        return self._codes

    def _squares(self) -> list[int]:
        count, filled = self.table.count, self.filled
        return [count + number for number in range(len(self.table.squares)) if not filled >> number & 1]

    def _lines(self) -> Sequence[int]:
        return members(self.open, range(self.table.count - 1, -1, -1))

    def play(self, code: int) -> None:
        self._codes = None
        table = self.table
        if self.left:
            number = code - table.count
            self.filled |= 1 << number
            self.open &= ~table.through[number]
            self.left -= 1
            # Seat 1 draws first, no matter who filled last.
            self.mover = 1 - self.mover if self.left else 1
            return
        crossed = (table.crossing[code] & self.drawn).bit_count()
        self.lead += crossed if self.mover else -crossed
        self.drawn |= 1 << code
        self.open &= ~table.touching[code]
        self.mover = 1 - self.mover

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.table, twin.mover, twin.left, twin.filled = self.table, self.mover, self.left, self.filled
        twin.open, twin.drawn, twin.lead, twin._codes = self.open, self.drawn, self.lead, self._codes
        return twin

    def shares(self) -> Shares:
        return WIN if self.lead > 0 else LOSS if self.lead < 0 else TIE

    def playout(self, chance: random.Random, trace: Trace | None) -> Shares:
        pick = chance.random
        codes, mover = self.moves(), self.mover
        if self.left:
            codes, mover = self._fill(chance, codes, trace)
        crossing, ends = self.table.crossing, self.table.ends
        drawn, lead = self.drawn, self.lead
        used = missed = 0
        while count := len(codes):
            code = codes[int(pick() * count)]
            both = ends[code]
            if used & both:
                # Taking out the lines that share an end with a drawn one costs more than a few draws in vain.
                missed += 1
                if missed % 4 == 0:
                    codes = [code for code in codes if not used & ends[code]]
                continue
            used |= both
            if mover:
                lead += (crossing[code] & drawn).bit_count()
            else:
                lead -= (crossing[code] & drawn).bit_count()
            if trace is not None:
                trace[mover].append(code)
            drawn |= 1 << code
            mover = 1 - mover
        return WIN if lead > 0 else LOSS if lead < 0 else TIE

    def _fill(
        self, chance: random.Random, codes: Sequence[int], trace: Trace | None
    ) -> tuple[Sequence[int], int]:
        """Fill squares at random, and return the lines that may be drawn then, and the seat that draws first."""
        pick, count, first, through = chance.random, len(codes), self.table.count, self.table.through
        free, taken, mover = self.open, 0, self.mover
        for _ in range(self.left):
            code = codes[int(pick() * count)]
            while taken >> code & 1:
                code = codes[int(pick() * count)]
            taken |= 1 << code
            free &= ~through[code - first]
            if trace is not None:
                trace[mover].append(code)
            mover = 1 - mover
        self.open = free
        return self._lines(), 1
