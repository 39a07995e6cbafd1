"""Column types that mean the same on SQLite and PostgreSQL."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Text
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.types import TypeDecorator

Options = tuple[tuple[str, int], ...]
Ids = tuple[int, ...]
Words = tuple[str, ...]


class UtcTime(TypeDecorator[datetime]):
    """An aware time, kept and given back in UTC. SQLite forgets time zones; this knows the only one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone; the store takes aware times only.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class OptionsJson(TypeDecorator[Options]):
    """A game's options as a JSON object in the game's own order, without spaces.

    Kept as text: equal options are then equal on every database, and their order survives.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Options | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(dict(value), separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Options | None:
        return None if value is None else tuple(json.loads(value).items())


class ListJson(TypeDecorator[tuple[Any, ...]]):
    """A short list of numbers or words as a JSON array; for what is only ever read whole."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[Any, ...] | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[Any, ...] | None:
        return None if value is None else tuple(json.loads(value))
