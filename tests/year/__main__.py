"""`python -m tests.year`: a year of a server of thirty members on simulated time, with a table of what was counted."""

import argparse
import asyncio
import logging
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import structlog

from bot.app.matches.forgotten import last_entry
from bot.app.matches.loaded import LoadedMatch
from db.values.matches import Outcome
from rules.core.match import LEAVING, Match
from tests.year.driven import DrivenClock, driven
from tests.year.people import DAY, people
from tests.year.simulation import LIMITS, WEEK_DAYS, Year

BEGIN = datetime(2027, 1, 4, tzinfo=UTC)
LONGEST_WAIT = timedelta(days=42)
"""The longest time without an entry in a running game: 30 days, an absence of 10, and two days for rounds."""


class Log:
    """A count of the warnings and errors of the bot."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()

    def __call__(self, _: Any, method: str, event: Mapping[str, Any]) -> str:
        if method in ("warning", "error", "critical"):
            what = " ".join(str(event.get(key, "")) for key in ("task", "error", "at"))
            self.events[f"{event['event']} {what}".strip()] += 1
        raise structlog.DropEvent


@contextmanager
def counted(log: Log) -> Iterator[None]:
    """Count what is logged instead of writing it."""
    before = structlog.get_config()
    structlog.configure(processors=[log])
    try:
        yield
    finally:
        structlog.configure(**before)


async def simulate(days: int, members: int, seed: int, *, defaults: bool) -> tuple[dict[str, str], list[str]]:
    """Let a server live for so many days. Return the figures by what they count, and a sentence for each fault."""
    log, began, clock = Log(), process_time(), DrivenClock(BEGIN.timestamp())
    with counted(log), TemporaryDirectory(prefix="year-") as folder:
        async with driven(Path(folder), clock, members, seed) as (local, bot):
            users = [int(it["id"]) for it in local.world.members if not it.get("bot")]
            inhabitants = people(users, BEGIN.date(), days, random.Random(seed))
            year = Year(local, bot, clock, inhabitants, seed)
            await year.set_up(defaults=defaults)
            await year.run(days)
            figures, wrong = await count(year, days)
    figures["warnings and errors in the log"] = _spelled(log.events)
    figures["processor time"] = f"{process_time() - began:.0f} s"
    return figures, wrong


async def count(year: Year, days: int) -> tuple[dict[str, str], list[str]]:
    """Return the figures by what they count, and a sentence for each fault."""
    ends, wrong, now = Counter[str](), list[str](), year.clock.now()
    ages, waits, moves = [timedelta(0)], [timedelta(0)], 0
    unsaid = away = 0
    by_id = {it.id: it for it in year.people}
    lost, played, before = Counter[float](), Counter[float](), Counter[str]()
    left_ahead = left_and_won = 0
    for match in year.matches:
        loaded = await year.services.matches.load(match)
        stored, log = loaded.stored, loaded.stored.log
        casual = stored.private
        moves += len(log)
        end = stored.finished_at or now
        kind = "computer" if casual else "clock" if stored.time_control else "no clock"
        ends[f"{kind}: {_end_of(loaded)}"] += 1
        late = [entry for entry in log if entry.text == "timeout"]
        if stored.time_control is not None and stored.finished_at is not None:
            played.update(by_id[user].forgets for user in stored.users if user in by_id)
        for entry in late:
            person = by_id[stored.users[entry.seat or 0]]
            lost[person.forgets] += 1
            index = log.index(entry)
            at, since = stored.times[index], stored.times[index - 1] if index else stored.started_at
            looked = [it for came, it in year.visits[person.id] if since < came < at]
            before["looked and forgot it" if any(looked) else "did not look" if looked else "absent"] += 1
            away += person.away_at(at)
            local = at.date()
            unsaid += any(
                it.first <= local < it.first + timedelta(days=it.days + 3) for it in person.holidays
            )
        leaving = [it for it in loaded.match.log if it.text in LEAVING]
        if leaving and stored.outcomes is not None:
            seat = leaving[0].seat or 0
            left_ahead += _led(loaded, seat)
            left_and_won += stored.outcomes[seat] is Outcome.WON
        if not casual:
            ages.append(end - stored.started_at)
            if stored.finished_at is None:
                waits.append(now - last_entry(loaded))
    weekly, limits = year.weekly(days), {it: n for it, n in year.refusals.items() if LIMITS.search(it)}
    if away:
        wrong.append(f"{away} games were lost on time while the player was away.")
    if left_and_won:
        wrong.append(f"{left_and_won} games were won by the player who gave them up or let them run out.")
    if year.broken_offers:
        wrong.append(f"{year.broken_offers} times an offer had more games than its member promised.")
    if limits:
        wrong.append(f"Limits refused: {_spelled(limits)}")
    if max(waits) > LONGEST_WAIT:
        wrong.append(f"A game has waited for {max(waits) / DAY:.0f} days.")
    if year.unwanted:
        wrong.append(f"Notifications that were not chosen: {_spelled(year.unwanted)}")
    if failures := +year.services.rounds.failures:
        wrong.append(f"Items of background tasks failed: {_spelled(failures)}")
    return {
        "games begun": str(len(year.matches)),
        "entries in their logs": str(moves),
        "ends": _spelled(ends),
        "longest age of a game among members, in days": f"{max(ages) / DAY:.1f}",
        "longest wait of a game that still runs, in days": f"{max(waits) / DAY:.1f}",
        "lost on time, of ended games with a clock, by how often members forget": "; ".join(
            f"{forgets:.0%} {lost[forgets]} of {played[forgets]}" for forgets in sorted(played)
        ),
        "lost on time, by what the member did in their time": _spelled(before),
        "given up or run out while ahead on points, of these won": f"{left_ahead}, {left_and_won}",
        "lost on time while away": str(away),
        "lost on time around a holiday, not announced or too long": str(unsaid),
        "refused by limits": _spelled(limits),
        "refused otherwise": _spelled({it: n for it, n in year.refusals.items() if it not in limits}),
        "notifications per member and week: median, most": f"{median(weekly):g}, {max(weekly)}",
        "notifications while away": str(year.told_away.total()),
        "notifications not chosen": _spelled(year.unwanted),
        "games begun by standing offers, offers beyond their number": (
            f"{sum(map(len, year.by_offer.values()))}, {year.broken_offers}"
        ),
        "standing offers that rested, opened again": f"{len(year.rested)}, {year.reopened}",
        "games followed, messages about them": f"{len(year.followed)}, {year.told_of_followed}",
        "length of `/games`: median, most": f"{median(year.lists or [0]):g}, {max(year.lists or [0])}",
        "games begun per member and week (median week)": f"{year.games_per_week(days):.2f}",
        "games begun per member in the last four weeks": _last(year, days),
    }, wrong


def _led(loaded: LoadedMatch, seat: int) -> bool:
    """Return True if a seat had more points than every other when the first player left."""
    match = loaded.match
    index = next(number for number, entry in enumerate(match.log) if entry.text in LEAVING)
    before = Match.replay(match.game, match.setup, match.log[:index])
    points = match.game.points_so_far(before.state)
    return points is not None and all(points[seat] > it for other, it in enumerate(points) if other != seat)


def _end_of(loaded: LoadedMatch) -> str:
    """Return how a game ended: the reason why it has no result, a word, or that it still runs."""
    if loaded.stored.finished_at is None:
        return "still running"
    texts = {entry.text for entry in loaded.stored.log}
    words = {"timeout": "on time", "resign": "resigned", "draw": "draw agreed"}
    return loaded.stored.void or next((word for text, word in words.items() if text in texts), "played out")


def _last(year: Year, days: int) -> str:
    last = max(1, days // WEEK_DAYS)
    return f"{sum(year.begun[week] for week in range(last - 4, last)) / len(year.people):.2f}"


def _spelled(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda it: -it[1])
    return "; ".join(f"{what} {number}" for what, number in ordered) or "0"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.year", description=__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--members", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--settings", choices=("before", "today", "both"), default="both")
    chosen = parser.parse_args()
    logging.disable(logging.CRITICAL)
    columns, faults = {}, list[str]()
    for name in ("before", "today"):
        if chosen.settings in (name, "both"):
            columns[name], wrong = asyncio.run(
                simulate(chosen.days, chosen.members, chosen.seed, defaults=name == "today")
            )
            faults += [f"{name}: {it}" for it in wrong]
    sys.stdout.write(f"| | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|\n")
    for what in next(iter(columns.values())):
        sys.stdout.write(f"| {what} | {' | '.join(it[what] for it in columns.values())} |\n")
    sys.stdout.write("".join(f"{it}\n" for it in faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
