"""The processor time of another process and of its children, and the moment when it rests (on Linux)."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

POLL = 0.004
RESTFUL = 6
"""Looks in a row, POLL seconds apart, that must find a process asleep before it counts as resting."""


def processor_time(process: int) -> float:
    """Return the milliseconds of processor time that a process and its living children have used."""
    return sum(1000 * time.clock_gettime((~one << 3) | 2) for one in _family(process))


def resident(process: int) -> float:
    """Return the resident memory of a process in MiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


async def resting(process: int) -> float:
    """Wait until a process does nothing any more; return its processor time in milliseconds then."""
    seen, quiet = processor_time(process), 0
    while quiet < RESTFUL:
        await asyncio.sleep(POLL)
        now = processor_time(process)
        quiet = quiet + 1 if now == seen and not _busy(process) else 0
        seen = now
    return seen


def _family(process: int) -> Iterator[int]:
    yield process
    for task in Path(f"/proc/{process}/task").iterdir():
        with suppress(FileNotFoundError):  # the thread has ended
            for child in (task / "children").read_text().split():
                yield from _family(int(child))


def _busy(process: int) -> bool:
    """True if a thread runs, waits for a processor or waits for the disk."""
    states = (
        (task / "stat").read_text().rpartition(")")[2].split()[0]
        for task in Path(f"/proc/{process}/task").iterdir()
    )
    return any(state in "RD" for state in states)
