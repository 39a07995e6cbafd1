"""Hours of the day and time zones as members write them."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from zoneinfo import available_timezones

from bot.app.clocks.dates import OFFSET, time_of_day, zone_of
from bot.app.errors import Refused
from db.store import Store
from db.values.places import DiscordId

_BETWEEN = re.compile(r"-|–|to|until|till|bis")
_HOUR = re.compile(r"(?P<hour>[0-9]{1,2})(?P<half>[ap]\.?m\.?)?")
_WHOLE = re.compile(r"(?<=[0-9])[:.]?00(?![0-9])")
_WHOLE_DAY = ("always", "anytime", "allday", "wholeday", "thewholeday")
_QUARTER = timedelta(minutes=15)
FARTHEST_EAST, FARTHEST_WEST = timedelta(hours=14), timedelta(hours=-12)
"""The largest and the smallest offset from UTC that is in use."""

HOURS_HINT = "Write the hours like `18-23`, or `0-24` for the whole day."
HOUR_HINT = "Write the hour like `18` or `6 pm`."
ZONE_HINT = (
    "Write a time zone like `Europe/Berlin` or `UTC+2`, or the time that your clock shows now, like `20:15`."
)


def read_hours(text: str) -> tuple[int, int]:
    """Return the first hour and the hour after the last one that `18-23`, `6-11 pm` or `22:00 to 2:00` means.

    They are 0 to 23 and 1 to 24. Raises Refused.
    """
    plain = re.sub(r"\s", "", text.lower())
    if plain in _WHOLE_DAY:
        return 0, 24
    parts = [_WHOLE.sub("", part) for part in _BETWEEN.split(plain)]
    hours = [_hour(part) for part in _with_halves(parts)]
    if len(hours) != 2 or None in hours:
        raise Refused(HOURS_HINT)
    first, end = (hour or 0 for hour in hours)
    first, end = first % 24, end or 24
    if first == end:
        raise Refused(HOURS_HINT)
    return first, end


def _with_halves(parts: list[str]) -> list[str]:
    """Return the ends of a span, both with am or pm if one has them and the number grows: `6-11pm` is `6pm-11pm`."""
    ends = [_HOUR.fullmatch(part) for part in parts]
    numbers = [int(end["hour"]) for end in ends if end is not None]
    halves = [end["half"] for end in ends if end is not None]
    if (
        len(parts) != 2
        or len(numbers) != 2
        or all(halves)
        or max(numbers) > 12
        or numbers[0] % 12 >= numbers[1] % 12
    ):
        return parts
    return [f"{number}{halves[0] or halves[1] or ''}" for number in numbers]


def read_hour(text: str) -> int:
    """Return the hour, 0 to 23, that `18`, `18:00`, `6 pm`, `noon` or `24` means. Raises Refused."""
    hour = _hour(re.sub(r"\s", "", text.lower()))
    if hour is None:
        raise Refused(HOUR_HINT)
    return hour % 24


def _hour(text: str) -> int | None:
    """Return the hour that `18`, `6pm`, `18h`, `noon` or `24` means, 0 to 24; None if it is no hour."""
    plain = _WHOLE.sub("", text)
    if plain in ("24", "24h"):
        return 24
    at = time_of_day(plain, bare=True)
    return None if at is None or at.minute else at.hour


def within_hours(hour: int, first: int, end: int) -> bool:
    """Return True if an hour is among those from `first` to the one before `end`, which may be of the next day."""
    return first <= hour < end if first < end else hour >= first or hour < end


def read_zone(text: str, now: datetime) -> str:
    """Return the time zone that `Europe/Berlin`, `berlin`, `UTC+2` or the time on a clock at `now` means.

    The result is a name that `zone_of` takes. Raises Refused.
    """
    plain = re.sub(r"\s+", "", text.lower())
    if plain in ("utc", "gmt", "z"):
        return "UTC"
    if (offset := OFFSET.fullmatch(plain)) is not None:
        span = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"] or 0))
        return _named(span if offset["sign"] == "+" else -span)
    if (time := time_of_day(plain)) is not None:
        there = timedelta(hours=time.hour, minutes=time.minute)
        utc = now.astimezone(UTC)
        difference = there - timedelta(hours=utc.hour, minutes=utc.minute)
        span = round(difference / _QUARTER) * _QUARTER
        if span > timedelta(hours=12):
            span -= timedelta(days=1)
        elif span <= timedelta(hours=-12):
            span += timedelta(days=1)
        return _named(span)
    name = _names().get(re.sub(r"[\s_]+", "", text.lower()))
    if name is None:
        raise Refused(ZONE_HINT)
    return name


async def zone_told(store: Store, user: DiscordId) -> tzinfo:
    """Return the time zone that a member has told for their daily message or their interests, or else UTC."""
    told = await store.digests.get(user) or await store.interests.get(user)
    return UTC if told is None else zone_of(told.zone)


def _named(span: timedelta) -> str:
    """Return the name of the zone with this offset from UTC. Raises Refused if no such zone is in use."""
    if not FARTHEST_WEST <= span <= FARTHEST_EAST:
        raise Refused(ZONE_HINT)
    minutes = abs(span) // timedelta(minutes=1)
    if not minutes:
        return "UTC"
    return f"UTC{'-' if span < timedelta() else '+'}{minutes // 60:02}:{minutes % 60:02}"


@cache
def _names() -> dict[str, str]:
    """Return the names of zones by what members may write for them: the name, or its city if only one has it."""
    zones = {name for name in available_timezones() if not name.startswith(("posix/", "right/", "Etc/"))}
    cities: dict[str, set[str]] = {}
    for name in zones:
        if "/" in name:
            cities.setdefault(name.rpartition("/")[2], set()).add(name)
    written = {city: next(iter(found)) for city, found in cities.items() if len(found) == 1}
    written |= {name: name for name in zones}
    return {re.sub(r"[\s_]+", "", text.lower()): name for text, name in written.items()}
