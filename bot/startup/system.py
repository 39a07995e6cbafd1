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
_BIG = 256 << 10
"""Bytes from which a block is mapped apart from the heap, so that it leaves no hole in it."""

_libc = ctypes.CDLL(None)


def set_up_heap() -> None:
    """Let all threads share one heap, in which nothing big is put.

    glibc would give several heaps to each processor. What one thread has freed in a heap of its own the others cannot
    use: pictures, which pool threads draw in turn, left tens of megabytes in each. Threads of Python rarely allocate at
    the same moment anyway. It would also put ever bigger blocks into the heap, and what lasts longer between them.
    """
    if hasattr(_libc, "mallopt"):
        _libc.mallopt(_M_ARENA_MAX, 1)
        _libc.mallopt(_M_MMAP_THRESHOLD, _BIG)
        _libc.mallopt(_M_TRIM_THRESHOLD, _BIG)


def give_back() -> None:
    """Give unused pages in the midst of the heap back to the system, which takes a few milliseconds."""
    if hasattr(_libc, "malloc_trim"):
        _libc.malloc_trim(0)


def stop_requested() -> asyncio.Event:
    """Return an event that is set when this process is asked to stop."""
    requested = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, requested.set)
    return requested


def make_folder(path: Path) -> None:
    """Make the data folder if it is not there. Raises ConfigError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"The data folder {path} cannot be made ({error.strerror}): set PENCILBOX_DATA_DIR to another."
        ) from None


KEPT = ("PATH", "HOME", "LANG", "TMPDIR")


def bare_environment() -> dict[str, str]:
    """Return what a program needs to run, and no settings: they hold the token and the password of the database."""
    return {name: value for name, value in os.environ.items() if name in KEPT}
