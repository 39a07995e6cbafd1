"""Tables of decided positions. A class that is not in a table is a draw with best play."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rules.players.games.alaric.retrograde import Decided, solve
from rules.players.packed import pack, unpack

SHIPPED = range(10, 17)
"""Rings whose tables are files; smaller ones are solved at once."""
EXACT = range(1, SHIPPED.stop)

_FOLDER = Path(__file__).with_name("tables")


@cache
def table(size: int) -> Mapping[int, Decided]:
    """Return the decided classes of a ring of one of the sizes in `EXACT`."""
    if size in SHIPPED:
        return read(path(size).read_bytes())
    return solve(size).decided


def path(size: int) -> Path:
    """Return the place of a ring's file."""
    return _FOLDER / f"{size}.bin"


def write(decided: Mapping[int, Decided]) -> bytes:
    """Return the contents of a file."""
    keys = sorted(decided)
    return pack(keys, [decided[key][0] for key in keys], [decided[key][1] for key in keys])


def read(contents: bytes) -> dict[int, Decided]:
    """Return the decided classes of a file."""
    keys, (margins, plies) = unpack(contents, 2)
    return dict(zip(keys, zip(margins, plies, strict=True), strict=True))
