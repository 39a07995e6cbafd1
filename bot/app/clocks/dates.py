"""Dates as people write them."""

import calendar
import re
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta

from bot.app.errors import Refused

NOON = time(12, tzinfo=UTC)
"""The time at which a day begins to count: it is that day then nearly everywhere on Earth."""

_SPANS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_SPAN = re.compile(r"(?P<count>[0-9]{1,4}|an?|one)\s*(?P<unit>h|hours?|d|days?|w|weeks?)")
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_DAYS = [name.lower() for name in calendar.day_name]
_STAMP = re.compile(r"<t:(?P<seconds>[0-9]{1,11})(?::[a-z])?>")
_LEADING = re.compile(r"^(?:(?:back|until|till|to|on|in|for|next|the)\b\s*)+")
_YEAR = r"(?:[\s,]+(?P<year>[0-9]{4}))?"
_DAY = r"(?P<day>[0-9]{1,2})"
_NUMBERED = (
    re.compile(r"(?P<year>[0-9]{4})[-./](?P<month>[0-9]{1,2})[-./](?P<day>[0-9]{1,2})"),
    re.compile(r"(?P<day>[0-9]{1,2})\.\s*(?P<month>[0-9]{1,2})\.?\s*(?P<year>[0-9]{4})?"),
)
_NAMED = (
    re.compile(rf"{_DAY}(?:st|nd|rd|th|\.)?\s*(?:of\s+)?(?P<name>[a-z]{{3,9}})\.?{_YEAR}"),
    re.compile(rf"(?P<name>[a-z]{{3,9}})\.?\s*(?:the\s+)?{_DAY}(?:st|nd|rd|th)?{_YEAR}"),
)
_SLASHED = re.compile(r"(?P<one>[0-9]{1,2})/(?P<other>[0-9]{1,2})(?:/(?P<year>[0-9]{4}))?")


def read_date(text: str, now: datetime) -> datetime:
    """Return the time that `Monday`, `5 December`, `2026-12-05` or `in 5 days` means; of a day, its noon in UTC.

    A day without a year is the next one. Raises Refused, also for a time that has passed.
    """
    plain = " ".join(text.lower().split())
    found = _read(_LEADING.sub("", plain), now)
    if found is None:
        raise Refused("Write a date like `5 December`, `Monday`, `2026-12-05` or `in 5 days`.")
    if found <= now:
        raise Refused("That date has passed; write a later one, like `in 5 days`.")
    return found


def _read(plain: str, now: datetime) -> datetime | None:
    """Return the time that a text without leading words means, or None."""
    if stamp := _STAMP.fullmatch(plain):
        with suppress(OverflowError, ValueError, OSError):
            return datetime.fromtimestamp(int(stamp["seconds"]), UTC)
        return None
    if span := _SPAN.fullmatch(plain):
        count = int(span["count"]) if span["count"].isdecimal() else 1
        return now + count * _SPANS[span["unit"][0]]
    day = _day(plain, now.astimezone(UTC).date())
    return None if day is None else datetime.combine(day, NOON)


def _day(plain: str, today: date) -> date | None:
    if plain in ("today", "tomorrow"):
        return today + timedelta(days=plain == "tomorrow")
    if len(plain) >= 3 and (weekday := next((it for it in _DAYS if it.startswith(plain)), None)):
        ahead = (_DAYS.index(weekday) - today.weekday() - 1) % 7 + 1
        return today + timedelta(days=ahead)
    for pattern in _NUMBERED:
        if found := pattern.fullmatch(plain):
            return _dated(found["year"], int(found["month"]), int(found["day"]), today)
    for pattern in _NAMED:
        if found := pattern.fullmatch(plain):
            month = next((number for name, number in _MONTHS.items() if name.startswith(found["name"])), None)
            return None if month is None else _dated(found["year"], month, int(found["day"]), today)
    if found := _SLASHED.fullmatch(plain):
        one, other = int(found["one"]), int(found["other"])
        if one != other and max(one, other) <= 12:
            raise Refused("That can mean two dates; write the month as a word, like `5 December`.")
        return _dated(found["year"], min(one, other), max(one, other), today)
    return None


def _dated(year: str | None, month: int, day: int, today: date) -> date | None:
    """Return a day of this year, or the next such day; None if there is none in the calendar."""
    with suppress(ValueError):
        if year is not None:
            return date(int(year), month, day)
        this_year = date(today.year, month, day)
        return this_year if this_year >= today else date(today.year + 1, month, day)
    return None
