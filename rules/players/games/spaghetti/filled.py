"""The results of the drawing phase on all filled boards of two sizes.

`filled/` has a file for each of these sizes. The key of a board is the least of the sets of squares that turns and
reflections make of its filled squares. `python -m rules.players.games.spaghetti` writes the files again.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from rules.core.bits import Bits
from rules.core.lattice import board_turns
from rules.players.packed import pack, unpack

SHIPPED = (4, 5)
_FOLDER = Path(__file__).with_name("filled")


def canonical(size: int, squares: Sequence[int]) -> Bits:
    """Return the least of the sets that turns and reflections make of some squares."""
    return min(sum([1 << turn[number] for number in squares]) for turn in board_turns(size, size))


def boards(size: int) -> list[Bits]:
    """Return the keys of all filled boards of a size, ascending."""
    return sorted({canonical(size, squares) for squares in combinations(range(size**2), size)})


def path(size: int) -> Path:
    """Return the place of a size's file."""
    return _FOLDER / f"{size}.bin"


def write(margins: Mapping[Bits, int]) -> bytes:
    """Return the contents of a file."""
    keys = sorted(margins)
    return pack(keys, [margins[key] for key in keys])


def read(size: int) -> dict[Bits, int]:
    """Return for each filled board the points by which seat 0 wins; nothing for a size that is not shipped."""
    if size not in SHIPPED:
        return {}
    keys, (margins,) = unpack(path(size).read_bytes(), 1)
    return dict(zip(keys, margins, strict=True))
