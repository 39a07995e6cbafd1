"""Tables of a board of Uncooked Spaghetti for its lines, as sets of bits."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from operator import xor

from rules.core.bits import Bits
from rules.core.lattice import cells
from rules.core.notation import Cell
from rules.games.spaghetti.lines import line_table
from rules.games.spaghetti.state import Line


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
        """True if the ends of two lines are half a side of the board from each other at least."""
        gaps = [abs(end - own) for end in self.lines[code] for own in self.lines[other]]
        return all(2 * min(gap, 4 * self.size - gap) >= self.size for gap in gaps)

    @property
    def count(self) -> int:
        """The number of lines: codes from here on are squares."""
        return len(self.lines)


@cache
def tables(size: int) -> Tables:
    """Return the tables of a size."""
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
