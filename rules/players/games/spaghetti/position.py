"""The fast position of Uncooked Spaghetti and Square Meatballs."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from operator import xor
from typing import Self

from rules.core.bits import Bits, members
from rules.core.lattice import cells
from rules.core.notation import Cell
from rules.games.spaghetti import Line, SpaghettiState, line_table
from rules.players.position import SearchPosition, Shares, Trace


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one size.

    The code of a line is the number of its bit in the sets of the rules, from the lowest; `lines`, `crossing` (the
    lines that cross it), `touching` (those that end where it ends, itself included) and `keep` (all others) are indexed
    by it. The codes of squares follow: `through` holds the lines that a square forbids, by the number of the square in
    board order, and `number` that number.
    """

    size: int
    lines: tuple[Line, ...]
    code: Mapping[Line, int]
    crossing: tuple[Bits, ...]
    touching: tuple[Bits, ...]
    keep: tuple[Bits, ...]
    squares: tuple[Cell, ...]
    number: Mapping[Cell, int]
    through: tuple[Bits, ...]

    def apart(self, code: int, other: int) -> bool:
        """Return True if the ends of two lines are half a side of the board from each other at least."""
        gaps = [abs(end - own) for end in self.lines[code] for own in self.lines[other]]
        return all(2 * min(gap, 4 * self.size - gap) >= self.size for gap in gaps)

    @property
    def count(self) -> int:
        """The number of lines: codes from here on are squares."""
        return len(self.lines)


@cache
def tables(size: int) -> Tables:
    rules = line_table(size)
    lines = tuple(reversed(rules.lines))
    ending = [rules.ending[vertex] for vertex in sorted(rules.ending)]
    # The lines with just one end among the first few vertices.
    leaving = list(accumulate(ending, xor, initial=0))
    touching = tuple(rules.ending[line.low] | rules.ending[line.high] for line in lines)
    crossing = tuple(
        (leaving[line.high - 1] ^ leaving[line.low]) & ~ends
        for line, ends in zip(lines, touching, strict=True)
    )
    squares = cells(size, size)
    return Tables(
        size=size,
        lines=lines,
        code={line: code for code, line in enumerate(lines)},
        crossing=crossing,
        touching=touching,
        keep=tuple(~ends for ends in touching),
        squares=squares,
        number={square: number for number, square in enumerate(squares)},
        through=tuple(rules.through[square] for square in squares),
    )


Counts = tuple[Bits, Bits, Bits, Bits, Bits]
"""Five sets that say in binary for each open line how many drawn lines it crosses, ones first."""

WIN, TIE, LOSS = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)


class SpaghettiPosition(SearchPosition):
    """Codes below `table.count` are lines, those from there on squares.

    `left` squares are still to be filled; `open` are the lines that may be drawn by the squares and ends so far, and
    `drawn` those that were. `lead` is the number of points by which seat 0 leads.
    """

    __slots__ = ("_codes", "drawn", "filled", "lead", "left", "met", "open", "table")

    def __init__(self, state: SpaghettiState) -> None:
        self.table: Tables = tables(state.size)
        self.mover = state.mover
        self.left = state.size - len(state.filled)
        self.filled: Bits = sum(1 << self.table.number[square] for square in state.filled)
        self.open: Bits = state.open
        self.drawn: Bits = sum(1 << self.table.code[line] for line in state.lines)
        self.lead = state.points[0] - state.points[1]
        self._codes: Sequence[int] | None = None
        self.met: Counts = (0, 0, 0, 0, 0)
        self.count()

    def count(self) -> None:
        """Count for each open line which drawn ones it crosses."""
        planes = [0] * 5
        if self.drawn:
            for code in self._lines():
                crossed = (self.table.crossing[code] & self.drawn).bit_count()
                for power in range(5):
                    planes[power] |= (crossed >> power & 1) << code
        self.met = (planes[0], planes[1], planes[2], planes[3], planes[4])

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
        crossed = sum((plane >> code & 1) << power for power, plane in enumerate(self.met))
        self.lead += crossed if self.mover else -crossed
        self.drawn |= 1 << code
        self.open &= ~table.touching[code]
        self.met = _one_more(self.met, table.crossing[code] & self.open)
        self.mover = 1 - self.mover

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.table, twin.mover, twin.left, twin.filled = self.table, self.mover, self.left, self.filled
        twin.open, twin.drawn, twin.lead, twin._codes = self.open, self.drawn, self.lead, self._codes
        twin.met = self.met
        return twin

    def shares(self) -> Shares:
        return WIN if self.lead > 0 else LOSS if self.lead < 0 else TIE

    def playout(self, chance: random.Random, trace: Trace | None) -> Shares:
        """Fill squares at random; then draw one of the lines that cross the fewest."""
        pick = chance.random
        mover = self._fill(chance, trace) if self.left else self.mover
        crossing, keep, size = self.table.crossing, self.table.keep, self.table.count
        free, lead, counts = self.open, self.lead, self.met
        while free:
            ones, twos, fours, eights, rest = counts
            lines = free & ~(ones | twos | fours | eights | rest)
            if not lines:
                lines, crossed = free, 0
                for plane in (rest, eights, fours, twos, ones):
                    crossed *= 2
                    if fewer := lines & ~plane:
                        lines = fewer
                    else:
                        crossed += 1
                lead += crossed if mover else -crossed
            # The first line from a place taken at random.
            code = (lines & -(1 << int(pick() * size))) or lines
            code = (code & -code).bit_length() - 1
            free &= keep[code]
            counts = _one_more(counts, crossing[code] & free)
            if trace is not None:
                trace[mover].append(code)
            mover = 1 - mover
        return WIN if lead > 0 else LOSS if lead < 0 else TIE

    def _fill(self, chance: random.Random, trace: Trace | None) -> int:
        """Fill squares at random, and return the seat that draws first."""
        codes, through = self.moves(), self.table.through
        pick, count, first = chance.random, len(codes), self.table.count
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
        return 1


def _one_more(counts: Counts, met: Bits) -> Counts:
    """Return the counts after the lines in `met` have been crossed once more."""
    ones, twos, fours, eights, rest = counts
    to_twos = ones & met
    to_fours = twos & to_twos
    to_eights = fours & to_fours
    return ones ^ met, twos ^ to_twos, fours ^ to_fours, eights ^ to_eights, rest ^ (eights & to_eights)
