"""The clocks of the system and of tests, and the ids that are made from the time."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """A source of time, in seconds since 1970, and of waiting."""

    def time(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The clock of the system."""

    def time(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that changes only when `advance` is called."""

    def __init__(self, start: float = 1_750_000_000.0) -> None:
        self._now = start
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def time(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            return
        future = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + seconds, future))
        await future

    async def advance(self, seconds: float) -> None:
        """Advance by `seconds`, wake the sleepers whose time has passed, and let them run."""
        self._now += seconds
        due = [future for until, future in self._sleepers if until <= self._now]
        self._sleepers = [(until, future) for until, future in self._sleepers if until > self._now]
        for future in due:
            if not future.done():
                future.set_result(None)
        for _ in range(5):
            await asyncio.sleep(0)


def iso(seconds: float) -> str:
    """Return `seconds` since 1970 in Discord's format: ISO 8601 with microseconds, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


DISCORD_EPOCH = 1_420_070_400.0
"""The time from which ids count (1 January 2015), in seconds since 1970."""


def snowflake(seconds: float, serial: int = 0) -> str:
    """Return the id with number `serial` in the millisecond of `seconds` since 1970."""
    return str((int((seconds - DISCORD_EPOCH) * 1000) << 22) | serial)


def made_at(id_: str) -> float:
    """Return the creation time of an id, in seconds since 1970."""
    return DISCORD_EPOCH + (int(id_) >> 22) / 1000


class Snowflakes:
    """A generator of ids that always increase, even if the clock stops or a world is opened again."""

    def __init__(self, clock: Clock, last: int = 0) -> None:
        self._clock = clock
        self._last = last

    def __call__(self) -> str:
        self._last = max(self._last + 1, int(snowflake(self._clock.time())))
        return str(self._last)
