"""Tables of solved positions in compressed files.

A file holds the number of positions, then their keys in ascending order, each as the difference from the key before in
groups of seven bits, then one byte with a sign for each position and column.
"""

import zlib
from collections.abc import Sequence
from itertools import accumulate


def pack(keys: Sequence[int], *columns: Sequence[int]) -> bytes:
    """Return the contents of a file. `keys` ascend, and every column has a value from -128 to 127 for each of them."""
    data = bytearray(len(keys).to_bytes(4, "big"))
    before = 0
    for key in keys:
        gap, before = key - before, key
        while gap > 127:
            data.append(gap & 127 | 128)
            gap >>= 7
        data.append(gap)
    for column in columns:
        data += bytes(value & 255 for value in column)
    return zlib.compress(bytes(data), 9)


def unpack(contents: bytes, columns: int) -> tuple[list[int], list[list[int]]]:
    """Return the keys and the columns of a file, of which there are `columns`."""
    data = zlib.decompress(contents)
    count = int.from_bytes(data[:4], "big")
    end = len(data) - columns * count
    gaps, gap, shift = [], 0, 0
    for byte in data[4:end]:
        gap |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            gaps.append(gap)
            gap = shift = 0
    values = memoryview(data)[end:].cast("b").tolist()
    return list(accumulate(gaps)), [
        values[number * count : (number + 1) * count] for number in range(columns)
    ]
