"""`python -m bot stats`: numbers of what the database holds, without names; the bot may run."""

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime

from bot.operators.arguments import Arguments, run
from bot.startup.config import Config
from bot.startup.output import say
from db.engine import open_to_read
from db.inspection import Figures, count


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
