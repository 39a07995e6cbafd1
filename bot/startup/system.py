"""The machine and this process: the clock, randomness, the heap, signals, the data folder and the environment."""

import asyncio
import ctypes
import os
import random
import signal
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.startup.config import ConfigError
from db.values.places import DiscordId


class SystemClock:
    """The machine's clocks."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> timedelta:
        return timedelta(seconds=time.monotonic())


class SystemChance:
    """The operating system's randomness."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def shuffled(self, users: Sequence[DiscordId]) -> tuple[DiscordId, ...]:
        return tuple(self._random.sample(users, len(users)))

    def pick(self, weights: Sequence[int]) -> int:
        return self._random.choices(range(len(weights)), weights)[0]

    def salt(self) -> str:
        return f"{self._random.getrandbits(128):032x}"


_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""The numbers by which glibc knows its settings."""
_BIG = 8 << 20
"""Size in bytes from which a block is allocated outside the heap. The pixels of a picture take less."""
_FREE = 32 << 20
"""Unused bytes at the end of the heap that are kept for the next picture until `give_back` is called."""

_libc = ctypes.CDLL(None)


def set_up_heap() -> None:
    """Make all threads share one heap, and keep pages for the next picture.

    glibc would create several heaps for each processor. Memory that a thread has freed in its own heap is not available
    to other threads, so drawing pictures in pool threads left tens of megabytes in each heap. Python threads rarely
    allocate at the same moment anyway. It would also return the pages of large blocks at once, and getting thousands of
    pages for every picture took a third of the time of drawing.
    """
    if hasattr(_libc, "mallopt"):
        _libc.mallopt(_M_ARENA_MAX, 1)
        _libc.mallopt(_M_MMAP_THRESHOLD, _BIG)
        _libc.mallopt(_M_TRIM_THRESHOLD, _FREE)


def give_back() -> None:
    """Return unused pages inside the heap to the system. This takes a few milliseconds."""
    if hasattr(_libc, "malloc_trim"):
        _libc.malloc_trim(0)


def stop_requested() -> asyncio.Event:
    """Return an event that is set by the signals SIGINT and SIGTERM."""
    requested = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, requested.set)
    return requested


def make_folder(path: Path) -> None:
    """Create the data folder if it is missing. Raises ConfigError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"The data folder {path} cannot be made ({error.strerror}): set PENCILBOX_DATA_DIR to another."
        ) from None


KEPT = ("PATH", "HOME", "LANG", "TMPDIR")


def bare_environment() -> dict[str, str]:
    """Return the environment for a child process, without settings such as the token and the database password."""
    return {name: value for name, value in os.environ.items() if name in KEPT}
