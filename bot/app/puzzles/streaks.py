"""Streaks: the days in a row whose puzzle a member has solved in time."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

DAY = timedelta(days=1)


class DayStreak(NamedTuple):
    """Days in a row: up to today or yesterday, and at most."""

    now: int
    most: int


def streak(solved: Iterable[tuple[date, datetime]], today: date) -> DayStreak:
    """Return the streak of a member who has solved the puzzles of these days at these times.

    A day counts if its puzzle was solved by the end of the day, in UTC. The puzzle of today may still be open.
    """
    days = {day for day, at in solved if at.astimezone(UTC).date() <= day}
    most = max((_length(days, day) for day in days if day + DAY not in days), default=0)
    return DayStreak(_length(days, today if today in days else today - DAY), most)


def _length(days: set[date], last: date) -> int:
    """Return the number of days in a row that end with `last`."""
    length = 0
    while last - length * DAY in days:
        length += 1
    return length
