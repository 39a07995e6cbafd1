"""`python -m bot stats` and `python -m bot failures`: what the database holds; the bot may run.

`stats` prints numbers, without names. `failures` lists what background tasks could not process, and has it retried.
"""

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime

from bot.operators.arguments import Arguments, run
from bot.startup.config import Config, ConfigError
from bot.startup.output import say
from db.engine import open_store, open_to_read
from db.inspection import Figures, count
from db.stores.administration import FailedItemStore
from db.values.failures import FailedItem


async def _stats(given: Namespace, config: Config) -> int:
    now = datetime.now(UTC)
    async with open_to_read(config.database, config.data_dir) as sessions, sessions.read() as session:
        figures = await count(session, now)
    said = (
        json.dumps(asdict(figures), default=datetime.isoformat)
        if given.json
        else "\n".join(lines(figures, now))
    )
    say(said)
    return 0


def lines(figures: Figures, now: datetime) -> Iterator[str]:
    """Yield the numbers as people read them."""
    oldest = figures.oldest_waiting_board
    since = "" if oldest is None else f", the oldest for {(now - oldest).total_seconds():.0f} s"
    for name, value in (
        ("database", f"{figures.kind}, {figures.bytes / 1e6:.1f} MB, version {figures.revision}"),
        ("servers", figures.servers),
        ("members", figures.members),
        ("open challenges", figures.open_challenges),
        ("boards waiting", f"{figures.waiting_boards}{since}"),
    ):
        yield f"{name:16}{value}"
    yield ""
    weeks = [week.partition("-")[2] for week in figures.weeks]
    yield _row("games", "running", "finished", *(f"in {week}" for week in weeks))
    for key, games in figures.games.items():
        yield _row(key, games.running, games.finished, *games.by_week)
    all_games = figures.games.values()
    by_week = (sum(games.by_week[number] for games in all_games) for number in range(len(weeks)))
    yield _row(
        "together", sum(it.running for it in all_games), sum(it.finished for it in all_games), *by_week
    )


def _row(name: str, *values: object) -> str:
    return f"{name:14}" + "".join(f"{value:>9}" for value in values)


def main() -> int:
    arguments = Arguments("stats")
    arguments.add_argument("--json", action="store_true", help="print one JSON object")
    return run(arguments, _stats)


SHOWN = 1000
"""Largest number of failed items that are listed."""


async def _failures(given: Namespace, config: Config) -> int:
    if given.retry is not None and len(given.retry) > len(("TASK", "ITEM")):
        raise ConfigError("--retry takes a task and one item of it at most.")
    # `open_store` would create or migrate a database; this refuses one that is missing or of another version.
    async with open_to_read(config.database, config.data_dir) as sessions:
        found = await FailedItemStore(sessions).listed(SHOWN)
    if given.retry is None:
        now = datetime.now(UTC)
        print("\n".join(_line(it, now) for it in found) or "Nothing has failed.")  # noqa: T201 - a command line answers
        return 0
    async with open_store(config.database, config.data_dir) as store:
        count = await store.failed_items.forget(*given.retry)
    print(f"Items to be retried: {count}.")  # noqa: T201 - a command line answers
    return 0


def _line(failed: FailedItem, now: datetime) -> str:
    due = failed.retry_at
    then = "set aside" if due is None else f"retried in {max(0.0, (due - now).total_seconds()):.0f} s"
    since = f"{failed.since:%Y-%m-%d %H:%M} UTC"
    return f"{failed.task} {failed.item}: {failed.error}, {failed.times} times since {since}, {then}"


def main_failures() -> int:
    arguments = Arguments("failures")
    arguments.add_argument(
        "--retry",
        nargs="*",
        metavar="NAME",
        help="retry everything that failed, or all items of a task (--retry TASK), or one item (--retry TASK ITEM)",
    )
    return run(arguments, _failures)
