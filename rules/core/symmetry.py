"""Rotations and reflections of boards, and numbers that stand for positions."""

import hashlib
from collections.abc import Collection, Mapping, Set
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

Turn = tuple[int, ...]
"""A rotation or reflection of a board: the place of each cell after it. A place is `row * width + column`."""


@cache
def board_turns(width: int, height: int) -> tuple[Turn, ...]:
    """Return the rotations and reflections of a board: eight if it is square, else four. The first changes nothing.

    The order is the same on square boards of all sizes. The last four of these swap columns and rows.
    """
    right, top = width - 1, height - 1
    cells = [(column, row) for row in range(height) for column in range(width)]
    turned = [
        [(column, row) for column, row in cells],
        [(right - column, row) for column, row in cells],
        [(column, top - row) for column, row in cells],
        [(right - column, top - row) for column, row in cells],
    ]
    if width == height:
        turned += [[(row, column) for column, row in one] for one in turned]
    return tuple(tuple(row * width + column for column, row in one) for one in turned)


def digest(value: object) -> int:
    """Return a signed 64-bit number for a value. Equal values have the same number in every process and version.

    The value consists of numbers, texts, None, dataclasses and collections of these.
    """
    found = hashlib.blake2b(repr(_plain(value)).encode(), digest_size=8).digest()
    return int.from_bytes(found, "big", signed=True)


def _plain(value: Any) -> object:
    """Return a value as nested lists, with the members of sets and mappings in a fixed order."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, Mapping):
        return sorted(([_plain(key), _plain(it)] for key, it in value.items()), key=repr)
    if isinstance(value, Set):
        return sorted(map(_plain, value), key=repr)
    if isinstance(value, Collection):
        return list(map(_plain, value))
    if is_dataclass(value):
        return [_plain(getattr(value, field.name)) for field in fields(value) if field.compare]
    raise TypeError(f"{type(value)} has no plain form")
