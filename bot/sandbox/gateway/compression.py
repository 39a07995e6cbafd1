"""Compression of the gateway's messages, for clients that ask for it."""

import zlib
from typing import Protocol


class Packer(Protocol):
    def pack(self, text: str) -> str | bytes: ...


class Plain:
    """Text frames without compression."""

    def pack(self, text: str) -> str:
        return text


class ZlibStream:
    """One zlib stream for the whole connection, flushed after every message."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    def pack(self, text: str) -> bytes:
        return self._stream.compress(text.encode()) + self._stream.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """One zstd frame (RFC 8878) for the whole connection, made of uncompressed blocks: every zstd reader accepts it,
    and writing it needs no zstd package."""

    _FRAME = bytes.fromhex("28b52ffd 00 38")
    """The magic number, and a header for no checksum, no length and a window of 128 KiB."""
    _BLOCK = 128 * 1024

    def __init__(self) -> None:
        self._head = self._FRAME

    def pack(self, text: str) -> bytes:
        data = text.encode()
        head, self._head = self._head, b""
        blocks = (data[start : start + self._BLOCK] for start in range(0, len(data), self._BLOCK))
        return head + b"".join((len(block) << 3).to_bytes(3, "little") + block for block in blocks)


def packer(name: str | None) -> Packer:
    """Return the packer for the query's `compress`."""
    match name:
        case "zlib-stream":
            return ZlibStream()
        case "zstd-stream":
            return ZstdStream()
    return Plain()
