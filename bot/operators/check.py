"""`python -m bot check`: hold everything that is stored against the records of the games, without changing anything.

The bot may run meanwhile. Exit status 0: all is well; 1: something is wrong; 2: the check cannot run.
"""

import json
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic

from bot.operators.arguments import Arguments, run
from bot.operators.checked_match import check_match
from bot.startup.config import Config
from db.engine import open_to_read
from db.inspection.finding import Finding
from db.inspection.matches import matches_after
from db.inspection.recount import recount_ratings
from db.inspection.rows import check_database, check_rows


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
    url: str | None, data_dir: Path, report: Callable[[Finding], None], at: datetime | None = None
) -> Checked:
    """Check a database, named as for `open_store`, and report each finding. Raises StoreUnavailable.

    Leaderboards that have expired at `at`, by default now, are left out.
    """
    began, checked = monotonic(), Checked()
    async for finding in _findings(url, data_dir, checked, at or datetime.now(UTC)):
        checked.findings += 1
        report(finding)
    checked.seconds = monotonic() - began
    return checked


async def _findings(
    url: str | None, data_dir: Path, checked: Checked, at: datetime
) -> AsyncIterator[Finding]:
    async with open_to_read(url, data_dir) as sessions:
        last, more = 0, True
        while more:
            # A transaction for each batch: a long one would keep the database from clearing up while the bot runs.
            async with sessions.read() as session:
                batch = await matches_after(session, last)
            for examined in batch:
                for finding in check_match(examined):
                    yield finding
            checked.matches += len(batch)
            last, more = batch[-1].stored.id if batch else last, bool(batch)
        for part in (partial(recount_ratings, at=at), check_rows, check_database):
            async with sessions.read() as session:
                async for finding in part(session):
                    yield finding


def _print(finding: Finding) -> None:
    print(finding, flush=True)  # noqa: T201 - a command line answers


def _print_json(finding: Finding) -> None:
    print(json.dumps(asdict(finding)), flush=True)  # noqa: T201 - a command line answers


async def _check(given: Namespace, config: Config) -> int:
    checked = await check(config.database, config.data_dir, _print_json if given.json else _print)
    print(json.dumps(asdict(checked)) if given.json else checked)  # noqa: T201 - a command line answers
    return 1 if checked.findings else 0


def main() -> int:
    arguments = Arguments("check")
    arguments.add_argument(
        "--json", action="store_true", help="print each finding, then the sum, as a JSON object"
    )
    return run(arguments, _check)


if __name__ == "__main__":
    sys.exit(main())
