"""PNG files put together from bands of rows, each of which is compressed alone and can be kept."""

import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from render.engine.theme import Rgb

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEVEL = 3
"""Of zlib's levels: a third of the time of level 6, for files that are a quarter larger."""
_BASE = 65521
"""Sums of Adler-32 are remainders by this prime number."""

Pixels: TypeAlias = "NDArray[np.uint8]"
"""Rows of pixels: the places of their colours in a palette."""


@dataclass(frozen=True, slots=True)
class Band:
    """Rows of a picture as a chunk of a file, with the checksum and the size of what they were made from."""

    chunk: bytes
    checksum: int
    height: int
    length: int


def band(pixels: Pixels) -> Band:
    """Return rows of pixels as a band."""
    import numpy as np  # only here: a start does not need it

    height, width = pixels.shape
    # Before each row stands a byte 0, which says that its values are what they are.
    lines = np.zeros((height, 1 + width), np.uint8)
    lines[:, 1:] = pixels
    rows = lines.tobytes()
    squeeze = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL)
    # A flush ends on a whole byte, so that what follows can be anything.
    data = squeeze.compress(rows) + squeeze.flush(zlib.Z_SYNC_FLUSH)
    return Band(_chunk(b"IDAT", data), zlib.adler32(rows), height, len(rows))


def pixels_of(band: Band) -> Pixels:
    """Return the pixels of a band."""
    import numpy as np  # only here: a start does not need it

    rows = zlib.decompressobj(-zlib.MAX_WBITS).decompress(band.chunk[8:-4])
    return np.frombuffer(rows, np.uint8).reshape(band.height, -1)[:, 1:]


def png(width: int, height: int, colours: Sequence[Rgb], bands: Iterable[Band]) -> bytes:
    """Return a picture, whose bands hold a byte for each pixel: the place of its colour in `colours`."""
    checksum, chunks = 1, []
    for one in bands:
        checksum = _joined(checksum, one)
        chunks.append(one.chunk)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(channel for colour in colours for channel in colour)),
            _chunk(b"IDAT", b"\x78\x9c"),
            *chunks,
            _chunk(b"IDAT", b"\x03\x00" + struct.pack(">I", checksum)),
            _chunk(b"IEND", b""),
        )
    )


def _joined(checksum: int, more: Band) -> int:
    """Return the Adler-32 checksum of what `checksum` is of, followed by a band."""
    low, high = checksum & 0xFFFF, checksum >> 16
    sum_low = (low + (more.checksum & 0xFFFF) - 1) % _BASE
    sum_high = (high + (more.checksum >> 16) + more.length * (low - 1)) % _BASE
    return sum_high << 16 | sum_low


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
