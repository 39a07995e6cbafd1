"""The data of version 0.1 (v0_1/README.md): its two databases, and what that version itself read in them."""

import hashlib
import json
import lzma
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

from rules.games.alaric import AlaricState
from rules.games.cocomposite import CocompositeState

FOLDER = Path(__file__).parent / "v0_1"

EXPECTED: Final[dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())

STORED_AT = datetime.fromisoformat(EXPECTED["at"])
"""When the bot of version 0.1 was stopped."""

NAMED: Final[dict[str, Any]] = EXPECTED["named"]
"""By name the messages that tests look for: `channel`, `message`, and the number of the `match` or None."""

LATER = {"PalindromesState": {"misses", "wrong"}}
"""By class, fields that version 0.1 did not know: stored matches have their defaults."""

LATER_OPTIONS = {"palindromes": {"misses": 0}}
"""The same of the options of games."""

WORLD = "local-discord.sqlite3"
"""The file of the local Discord."""


def unpack(data_dir: Path) -> None:
    """Write copies of both databases into a data folder."""
    for packed in FOLDER.glob("*.xz"):
        (data_dir / packed.stem).write_bytes(lzma.decompress(packed.read_bytes()))


def _earlier(value: Any) -> Any:
    """A state as version 0.1 held it: the same positions in another form."""
    match value:
        case AlaricState():
            return value.now, value.before, value.last
        case CocompositeState(size, points, _, mover, gone):
            return size, value.squares, points, value.path, value.writers, mover, gone
    return value


def plain(value: Any) -> Any:
    """The value as JSON, without the names of classes and fields."""
    value = _earlier(value)
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
        later = LATER.get(type(value).__name__, set())
        assert all(getattr(value, it.name) == it.default for it in fields(value) if it.name in later), value
        return [plain(getattr(value, field.name)) for field in fields(value) if field.name not in later]
    assert " at 0x" not in str(value), value
    return str(value)


def digest(value: Any) -> str:
    """A hash of the value that is the same in every version that knows the same of it."""
    return hashlib.sha256(json.dumps(plain(value)).encode()).hexdigest()[:16]
