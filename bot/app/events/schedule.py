"""The times of events: when they start, how long a stage lasts, and when players who make no move are removed."""

from datetime import UTC, datetime, timedelta, tzinfo

from bot.app.clocks.dates import read_date
from bot.app.errors import Refused
from db.values.clocks import TimeControl
from db.values.events import Stage

WAITS = timedelta(days=14)
"""The time for which a cup that starts when it is full waits for players."""
LATEST = timedelta(days=60)
"""The longest time between the opening of a cup and its start."""
WHEN_FULL = ("", "full", "when full")
"""The texts of a start that is not at a certain time."""

SHORTEST, LONGEST = timedelta(hours=1), timedelta(days=28)
"""The bounds of a stage."""
UNTIMED = timedelta(days=14)
"""The length of a stage whose games have no clock."""
MOVES = 14
"""The number of moves of a player for which the time of a stage suffices if every move takes the time that it may."""


def read_start(text: str, now: datetime, zone: tzinfo = UTC) -> datetime | None:
    """Return the time at which a cup starts; None if it starts when it is full. Raises Refused.

    A time of day is one of `zone`.
    """
    if text.strip().lower() in WHEN_FULL:
        return None
    at = read_date(text, now, zone)
    if at > now + LATEST:
        raise Refused(f"A cup starts within {LATEST.days} days; write an earlier date, or leave `start` out.")
    return at


def stage_span(time_control: TimeControl | None) -> timedelta:
    """Return the longest time that a stage lasts."""
    if time_control is None:
        return UNTIMED
    both = 2 * (time_control.span + MOVES * (time_control.increment or timedelta(0)))
    return min(LONGEST, max(SHORTEST, MOVES * time_control.span if time_control.per_move else both))


def season_at(at: datetime) -> str:
    """Return the month of a time in UTC, such as `2026-12`."""
    return f"{at.astimezone(UTC):%Y-%m}"


def season_start(season: str) -> datetime:
    """Return the first moment of a month."""
    year, month = season.split("-")
    return datetime(int(year), int(month), 1, tzinfo=UTC)


def season_after(season: str, months: int = 1) -> str:
    """Return the month so many months after another one; before it if they are negative."""
    year, month = divmod(int(season[:4]) * 12 + int(season[5:]) - 1 + months, 12)
    return f"{year:04}-{month + 1:02}"


def season_name(season: str) -> str:
    """Return a month in words: `December 2026`."""
    return f"{season_start(season):%B %Y}"


def quarter(stage: Stage) -> timedelta:
    """Return the time in which a player must make a first move while one of their games waits for them."""
    return (stage.ends_at - stage.started_at) / 4


def next_look(stage: Stage, now: datetime) -> datetime:
    """Return when a running stage is to be looked at again if no game ends before: at a quarter of it, or its end."""
    quarters = (stage.started_at + number * quarter(stage) for number in (1, 2, 3))
    return next((at for at in quarters if at > now), stage.ends_at)
