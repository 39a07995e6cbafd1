"""Column types that behave the same on SQLite and PostgreSQL."""

import json
import struct
from dataclasses import astuple
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, DateTime, LargeBinary, Text
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.types import TypeDecorator

from db.values.clocks import TimeControl
from db.values.matches import Turns
from db.values.posts import Companion
from db.values.standings import HeldSkill, Skill

Options = tuple[tuple[str, int], ...]
Ids = tuple[int, ...]
Words = tuple[str, ...]
HeldSkills = tuple[HeldSkill, ...]


class UtcTime(TypeDecorator[datetime]):
    """An aware time, stored and returned in UTC. SQLite stores no time zone, so it is added here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone; the store takes only aware times.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class OptionsJson(TypeDecorator[Options]):
    """A game's options as a JSON object in the game's own order, without spaces.

    Stored as text, so that equal options are equal on every database and keep their order.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Options | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(dict(value), separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Options | None:
        return None if value is None else tuple(json.loads(value).items())


class ListJson(TypeDecorator[tuple[Any, ...]]):
    """A short list of numbers or words as a JSON array, for lists that are always read as a whole."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[Any, ...] | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[Any, ...] | None:
        return None if value is None else tuple(json.loads(value))


MICROSECOND = timedelta(microseconds=1)


class Span(TypeDecorator[timedelta]):
    """A span of time in whole microseconds, exact on every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:
        return None if value is None else value // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> timedelta | None:
        return None if value is None else timedelta(microseconds=value)


class CompanionsJson(TypeDecorator[tuple[Companion, ...]]):
    """The companions of a post, each as a JSON array of its fields."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[Companion, ...] | None, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps([astuple(it) for it in value], separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[Companion, ...] | None:
        return None if value is None else tuple(Companion(*it) for it in json.loads(value))


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class TurnsJson(TypeDecorator[Turns]):
    """The seats that are to act, as `[[since, ...], [seats that have left]]`; times are microseconds since 1970."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Turns | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        since = [None if at is None else (at - EPOCH) // MICROSECOND for at in value.since]
        return json.dumps([since, sorted(value.left)], separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Turns | None:
        if value is None:
            return None
        since, left = json.loads(value)
        return Turns(tuple(None if at is None else EPOCH + at * MICROSECOND for at in since), frozenset(left))


class TimeControlText(TypeDecorator[TimeControl]):
    """A time control in seconds: `86400` for each move, `900+10` with an increment, `3600+60+7200` with a cap."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: TimeControl | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        spans = (value.span, value.increment, value.cap)
        return "+".join(str(span // timedelta(seconds=1)) for span in spans if span is not None)

    def process_result_value(self, value: str | None, dialect: Dialect) -> TimeControl | None:
        return (
            None
            if value is None
            else TimeControl(*(timedelta(seconds=int(part)) for part in value.split("+")))
        )


class PackedSkills(TypeDecorator[tuple[HeldSkill, ...]]):
    """The skills of a member on some leaderboards: for each the two doubles of the skill, the week, and `was`."""

    impl = LargeBinary
    cache_ok = True

    _one = struct.Struct("<ddii")
    _none = -(2**31)

    def process_bind_param(self, value: tuple[HeldSkill, ...] | None, dialect: Dialect) -> bytes | None:
        if value is None:
            return None
        return b"".join(
            self._one.pack(it.skill.mu, it.skill.sigma, it.week, self._none if it.was is None else it.was)
            for it in value
        )

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> tuple[HeldSkill, ...] | None:
        if value is None:
            return None
        return tuple(
            HeldSkill(Skill(mu, sigma), week, None if was == self._none else was)
            for mu, sigma, week, was in self._one.iter_unpack(value)
        )
