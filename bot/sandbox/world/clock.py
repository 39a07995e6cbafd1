"""Clocks: the system's, and one that tests advance by hand."""

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
    """A clock that stands still until `advance` is called."""

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
        """Advance by `seconds`, wake the sleepers whose time has come, and let them run."""
        self._now += seconds
        due = [future for until, future in self._sleepers if until <= self._now]
        self._sleepers = [(until, future) for until, future in self._sleepers if until > self._now]
        for future in due:
            if not future.done():
                future.set_result(None)
        for _ in range(5):
            await asyncio.sleep(0)


def iso(seconds: float) -> str:
    """Write `seconds` since 1970 as Discord does: ISO 8601 with microseconds, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
