"""The readable parts of files: everything of a record, and all of a picture but its pixels."""

import struct
import zlib
from collections.abc import Iterator

PNG, GIF = b"\x89PNG\r\n\x1a\n", b"GIF8"
PICTURE_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"pHYs", b"sRGB", b"gAMA"}
"""The chunks of a PNG that say nothing but how it looks."""


class UnknownPart(AssertionError):
    """A picture has a part that is no part of how it looks."""


def readable(data: bytes) -> str:
    """Return what a program could read in a file, apart from pixels. Raises UnknownPart."""
    if data.startswith(PNG):
        return "\n".join(_png(data))
    if data.startswith(GIF):
        return "\n".join(_gif(data))
    return data.decode(errors="replace")


def _png(data: bytes) -> Iterator[str]:
    at = len(PNG)
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind not in PICTURE_CHUNKS:
            body = data[at + 8 : at + 8 + size]
            raise UnknownPart(f"The picture has a part {kind!r}: {_unpacked(body)!r}")
        at += 12 + size
        if kind == b"IEND" and at < len(data):
            raise UnknownPart(f"{len(data) - at} bytes follow the end of the picture: {data[at:][:80]!r}")
    yield ""


def _unpacked(body: bytes) -> bytes:
    name, _, packed = body.partition(b"\0\0")
    try:
        return name + b" " + zlib.decompress(packed)
    except zlib.error:
        return body


def _gif(data: bytes) -> Iterator[str]:
    flags = data[10]
    at = 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
    while at < len(data):
        match data[at]:
            case 0x21:
                label, (at, body) = data[at + 1], _blocks(data, at + 2)
                if label not in (0xF9, 0xFF) or (label == 0xFF and not body.startswith(b"NETSCAPE2.0")):
                    raise UnknownPart(f"The film has a part {label:#x}: {body!r}")
            case 0x2C:
                own = data[at + 9]
                at += 10 + (3 << ((own & 7) + 1) if own & 0x80 else 0)
                at, _ = _blocks(data, at + 1)
            case 0x3B:
                if data[at + 1 :]:
                    raise UnknownPart(f"{len(data) - at - 1} bytes follow the end of the film")
                break
            case other:
                raise UnknownPart(f"The film has a block {other:#x}")
    yield ""


def _blocks(data: bytes, at: int) -> tuple[int, bytes]:
    """The place after the blocks that begin at `at`, and what is in them."""
    body = b""
    while size := data[at]:
        body += data[at + 1 : at + 1 + size]
        at += 1 + size
    return at + 1, body
