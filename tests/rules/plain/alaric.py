"""Alaric a second time, as a text of `.`, `X` (seat 0) and `O` (seat 1), to compare the referee with.

The ring is cut open at the new stone, which then stands at both ends of the text, and captures are a pattern there.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

SIGNS = "XO"


@dataclass(frozen=True)
class Ring:
    """The cells (counted from 0), those forbidden to the player on turn, and how often each position has stood."""

    cells: str
    forbidden: frozenset[int] = frozenset()
    mover: int = 0
    stood: Counter[tuple[str, frozenset[int], int]] = field(default_factory=Counter)

    @property
    def position(self) -> tuple[str, frozenset[int], int]:
        return self.cells, self.forbidden, self.mover

    @property
    def repeated(self) -> bool:
        """The position stands for the third time."""
        return self.stood[self.position] == 2


def captures(cells: str, new: int, own: str, foe: str) -> frozenset[int]:
    """The cells that the stone just put on `new` empties."""
    line = own + cells[new + 1 :] + cells[:new] + own
    runs = re.match(f"{own}({foe}+){own}", line), re.search(f"{own}({foe}+){own}$", line)
    return frozenset((new + index) % len(cells) for run in runs if run for index in range(*run.span(1)))


def moves(ring: Ring) -> list[int]:
    if ring.repeated:
        return []
    return [cell for cell, sign in enumerate(ring.cells) if sign == "." and cell not in ring.forbidden]


def play(ring: Ring, cell: int) -> Ring:
    own, foe = SIGNS[ring.mover], SIGNS[1 - ring.mover]
    placed = ring.cells[:cell] + own + ring.cells[cell + 1 :]
    taken = captures(placed, cell, own, foe)
    left = "".join("." if index in taken else sign for index, sign in enumerate(placed))
    return Ring(left, taken, 1 - ring.mover, ring.stood + Counter([ring.position]))


def perft(ring: Ring, depth: int) -> int:
    """The number of ways to play `depth` stones, one after the other."""
    if depth == 0:
        return 1
    return sum(perft(play(ring, cell), depth - 1) for cell in moves(ring))
