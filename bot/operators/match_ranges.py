"""All matches of a database, checked by range of their ids: by this process, or by several that open it themselves."""

import asyncio
import os
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from bot.operators.checked_match import check_match
from db.engine import open_to_read
from db.errors import StoreUnavailable
from db.inspection.finding import Finding
from db.inspection.matches import BATCH, matches_after
from db.sessions import Sessions

RANGE = 10 * BATCH
"""The ids of a range. A database with fewer matches is not worth the start of processes."""


@dataclass(frozen=True, slots=True)
class CheckedRange:
    """The number of matches in a range, and what is wrong with them."""

    matches: int
    findings: tuple[Finding, ...]


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0))


async def check_ranges(
    sessions: Sessions, url: str | None, data_dir: Path, highest: int, processes: int
) -> AsyncIterator[CheckedRange]:
    """Check all matches up to the highest id, in order. Raises StoreUnavailable.

    With several processes memory holds one batch of matches in each, and what is wrong in ranges that wait for their
    turn.
    """
    starts = range(0, highest, RANGE)
    if processes == 1 or len(starts) <= 1:
        for after in starts:
            yield await _check_range(sessions, after, after + RANGE)
        return
    loop = asyncio.get_running_loop()
    # Not by fork: this process has threads.
    with ProcessPoolExecutor(min(processes, len(starts)), mp_context=get_context("spawn")) as pool:
        futures = [
            loop.run_in_executor(pool, _check_alone, url, data_dir, after, after + RANGE) for after in starts
        ]
        try:
            for future in futures:
                yield await future
        except BrokenProcessPool:
            raise StoreUnavailable(
                "A process that checks was ended from outside: try again, with --processes 1 if memory is short."
            ) from None
        finally:
            for future in futures:
                future.cancel()


def _check_alone(url: str | None, data_dir: Path, after: int, last: int) -> CheckedRange:
    """Check a range in a process of its own."""

    async def check() -> CheckedRange:
        async with open_to_read(url, data_dir) as sessions:
            return await _check_range(sessions, after, last)

    return asyncio.run(check())


async def _check_range(sessions: Sessions, after: int, last: int) -> CheckedRange:
    """Check the matches after one up to another, by their ids."""
    matches, findings = 0, list[Finding]()
    while True:
        # A transaction for each batch: a long one would keep the database from clearing up while the bot runs.
        async with sessions.read() as session:
            batch = await matches_after(session, after, last)
        if not batch:
            return CheckedRange(matches, tuple(findings))
        findings += (finding for examined in batch for finding in check_match(examined))
        matches += len(batch)
        after = batch[-1].stored.id
