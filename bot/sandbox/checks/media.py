"""Files: their size limit and media type, and the size of a picture, which is read from its first bytes."""

import struct

ATTACHMENT_LIMIT = 10 * 1024 * 1024
"""The largest size of a file, in bytes."""


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height in pixels of a PNG, GIF, WebP or JPEG file, or None for any other file."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    if data[:2] == b"\xff\xd8":
        return _jpeg(data)
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        # The frame headers (SOF0-SOF15) hold the size; DHT, JPG and DAC are in that range but do not.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return None


def content_type(name: str, declared: str | None) -> str | None:
    """Return the media type of a known extension of the file's name, otherwise the declared type."""
    known = {
        "png": "image/png",
        "gif": "image/gif",
        "webp": "image/webp",
        "jpg": "image/jpeg",
        "jpeg": "image/jpeg",
        "txt": "text/plain; charset=utf-8",
        "json": "application/json; charset=utf-8",
    }
    return known.get(name.rpartition(".")[2].lower(), declared)
