"""Classes of positions: rotations and reflections of the ring taken out.

A position is seen by its mover: own stones, enemy stones, cells forbidden to the mover, as sets of cells. Its class is
an integer with two bits per cell (0 empty, 1 own, 2 enemy, 3 empty and forbidden): the least among all rotations and
reflections. The empty ring is class 0.
"""

from collections.abc import Callable
from functools import cache

from rules.players.games.alaric.capture import captured

Seen = tuple[int, int, int]

LARGEST = 32
"""Cells; `spread` knows no larger rings."""

_BYTE = tuple(sum((byte >> bit & 1) << 2 * bit for bit in range(8)) for byte in range(256))
_TURNED = tuple(sum((byte >> bit & 1) << 2 * (7 - bit) for bit in range(8)) for byte in range(256))
"""The bits of a byte with gaps between them, and the same in reverse order."""


@cache
def classifier(size: int) -> Callable[[int, int, int], int]:
    """Return the function that gives the class of a position on a ring of so many cells."""
    if size > LARGEST:
        raise ValueError(f"classes are of rings of at most {LARGEST} cells")
    width = 2 * size
    full = (1 << width) - 1
    shifts = range(2, width, 2)
    byte, turned, beyond = _BYTE, _TURNED, 2 * (16 - size)

    def narrow(own: int, enemy: int, forbidden: int) -> int:
        one, two = own | forbidden, enemy | forbidden
        a, b, c, d = one & 255, one >> 8, two & 255, two >> 8
        key = byte[a] | byte[b] << 16 | byte[c] << 1 | byte[d] << 17
        back = (turned[a] << 16 | turned[b] | turned[c] << 17 | turned[d] << 1) >> beyond
        twice, twice_back = key << width | key, back << width | back
        return min(
            key,
            back,
            *[twice >> shift & full for shift in shifts],
            *[twice_back >> shift & full for shift in shifts],
        )

    def wide(own: int, enemy: int, forbidden: int) -> int:
        key = back = 0
        for cell in range(size):
            digit = (own >> cell & 1) + 2 * (enemy >> cell & 1) + 3 * (forbidden >> cell & 1)
            key |= digit << 2 * cell
            back = back << 2 | digit
        twice, twice_back = key << width | key, back << width | back
        return min(
            key,
            back,
            *[twice >> shift & full for shift in shifts],
            *[twice_back >> shift & full for shift in shifts],
        )

    return narrow if size <= 16 else wide


def followers(position: Seen, size: int) -> list[Seen]:
    """Return the positions after each move, in the order of the cells, seen by the other player."""
    own, enemy, forbidden = position
    found = []
    free = ((1 << size) - 1) & ~(own | enemy | forbidden)
    while free:
        bit = free & -free
        free ^= bit
        taken = captured(own, enemy, bit.bit_length() - 1, size)
        found.append((enemy & ~taken, own | bit, taken))
    return found
