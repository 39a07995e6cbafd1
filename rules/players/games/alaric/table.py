"""Tables of decided positions. A class that is not in a table is a draw with best play.

A file is compressed: the number of classes, then their numbers ascending, each as the difference from the one before
in groups of seven bits, then a byte for each margin and a byte for each number of plies.
"""

import zlib
from collections.abc import Mapping
from functools import cache
from itertools import accumulate
from pathlib import Path

from rules.players.games.alaric.retrograde import Decided, solve

SHIPPED = range(10, 17)
"""Rings whose tables are files; smaller ones are solved at once."""
EXACT = range(1, SHIPPED.stop)

_FOLDER = Path(__file__).with_name("tables")


@cache
def table(size: int) -> Mapping[int, Decided]:
    """Return the decided classes of a ring of one of the sizes in `EXACT`."""
    if size in SHIPPED:
        return unpack(path(size).read_bytes())
    return solve(size).decided


def path(size: int) -> Path:
    """Return the place of a ring's file."""
    return _FOLDER / f"{size}.bin"


def pack(decided: Mapping[int, Decided]) -> bytes:
    """Return the contents of a file."""
    keys = sorted(decided)
    data = bytearray(len(keys).to_bytes(4, "big"))
    before = 0
    for key in keys:
        gap, before = key - before, key
        while gap > 127:
            data.append(gap & 127 | 128)
            gap >>= 7
        data.append(gap)
    data += bytes(decided[key][0] & 255 for key in keys)
    data += bytes(decided[key][1] for key in keys)
    return zlib.compress(bytes(data), 9)


def unpack(contents: bytes) -> dict[int, Decided]:
    """Return the decided classes of a file."""
    data = zlib.decompress(contents)
    count = int.from_bytes(data[:4], "big")
    gaps, gap, shift = [], 0, 0
    for byte in data[4 : len(data) - 2 * count]:
        gap |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            gaps.append(gap)
            gap = shift = 0
    margins = memoryview(data)[len(data) - 2 * count : len(data) - count].cast("b")
    values = zip(margins, data[len(data) - count :], strict=True)
    return dict(zip(accumulate(gaps), values, strict=True))
