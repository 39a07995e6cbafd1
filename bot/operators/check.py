"""`python -m bot check`: hold everything that is stored against the records of the games, without changing anything.

The bot may run meanwhile. Exit status 0: all is well; 1: something is wrong; 2: the check cannot run.
"""

import json
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic

from bot.operators.arguments import Arguments, run
from bot.operators.checked_matches import check_ranges, cores
from bot.startup.config import Config
from bot.startup.output import complain, say
from db.engine import open_to_read
from db.inspection import Finding, check_database, check_rows, count_matches, recount_ratings

PROGRESS_S = 10.0
"""Seconds between two lines about the progress."""
MOST_PROCESSES = 64


@dataclass
class Checked:
    """The numbers of what was looked at."""

    matches: int = 0
    findings: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        result = "all is well" if not self.findings else f"{self.findings} found wrong"
        return f"{self.matches} games checked in {self.seconds:.0f} s: {result}."


async def check(
    url: str | None,
    data_dir: Path,
    report: Callable[[Finding], None],
    at: datetime | None = None,
    *,
    processes: int | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Checked:
    """Check a database, named as for `open_store`, and report each finding. Raises StoreUnavailable.

    Leaderboards that have expired at `at`, by default now, are left out. Matches are checked by so many processes, by
    default one for each core. `progress` hears how many are done, of how many.
    """
    began, checked = monotonic(), Checked()
    at = at or datetime.now(UTC)
    async for finding in _findings(url, data_dir, checked, at, processes or cores(), progress):
        checked.findings += 1
        report(finding)
    checked.seconds = monotonic() - began
    return checked


async def _findings(
    url: str | None,
    data_dir: Path,
    checked: Checked,
    at: datetime,
    processes: int,
    progress: Callable[[int, int], None],
) -> AsyncIterator[Finding]:
    async with open_to_read(url, data_dir) as sessions:
        async with sessions.read() as session:
            number, highest = await count_matches(session)
        async for checked_range in check_ranges(sessions, url, data_dir, highest, processes):
            for finding in checked_range.findings:
                yield finding
            checked.matches += checked_range.matches
            progress(checked.matches, number)
        for part in (partial(recount_ratings, at=at), check_rows, check_database):
            async with sessions.read() as session:
                async for finding in part(session):
                    yield finding


def _say_json(finding: Finding) -> None:
    say(json.dumps(asdict(finding)))


class Progress:
    """Says on the standard error, every few seconds, how many games are checked."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._said = now()

    def __call__(self, done: int, of: int) -> None:
        if self._now() - self._said >= PROGRESS_S:
            self._said = self._now()
            complain(f"{done} of {of} games checked")


async def _check(given: Namespace, config: Config) -> int:
    report = _say_json if given.json else say
    checked = await check(
        config.database, config.data_dir, report, processes=given.processes, progress=Progress()
    )
    say(json.dumps(asdict(checked)) if given.json else checked)
    return 1 if checked.findings else 0


def main() -> int:
    arguments = Arguments("check")
    arguments.add_argument(
        "--json", action="store_true", help="print each finding, then the sum, as a JSON object"
    )
    arguments.add_argument(
        "--processes",
        type=int,
        choices=range(1, MOST_PROCESSES + 1),
        metavar="N",
        help="check games by so many processes (default: one for each core)",
    )
    return run(arguments, _check)
