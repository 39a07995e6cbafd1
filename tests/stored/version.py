"""The data of commit 50da8a01 (at_50da8a01/README.md): its two databases, and what that commit itself read in them."""

import hashlib
import json
import lzma
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

FOLDER = Path(__file__).parent / "at_50da8a01"

EXPECTED: Final[dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())

STORED_AT = datetime.fromisoformat(EXPECTED["at"])
"""The time at which the bot of 50da8a01 was stopped."""

NAMED: Final[dict[str, Any]] = EXPECTED["named"]
"""By name the messages that tests look for: `channel`, `message`, and the number of the `match` or None."""

WORLD = "local-discord.sqlite3"
"""The file of the local Discord."""


def unpack(data_dir: Path, stored: Path = FOLDER) -> None:
    """Write copies of both stored databases into a data folder."""
    for packed in stored.glob("*.xz"):
        (data_dir / packed.stem).write_bytes(lzma.decompress(packed.read_bytes()))


def plain(value: Any) -> Any:
    """The value as JSON, without the names of classes and fields."""
    match value:
        case Enum():
            return plain(value.value)
        case None | str() | int() | float():
            return value
        case set() | frozenset():
            return sorted((plain(it) for it in value), key=json.dumps)
        case Mapping():
            return sorted(([plain(key), plain(it)] for key, it in value.items()), key=json.dumps)
        case tuple() | list():
            return [plain(it) for it in value]
    if is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in fields(value)]
    assert " at 0x" not in str(value), value
    return str(value)


def digest(value: Any) -> str:
    """A hash of the value that is the same in every version whose values have the same content."""
    return hashlib.sha256(json.dumps(plain(value)).encode()).hexdigest()[:16]
