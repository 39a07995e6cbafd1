"""Dates and times of day as people write them."""

import calendar
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.app.errors import Refused

NOON = time(12)
"""The time at which a day without a time of day begins to count: in UTC, it is that day then nearly everywhere."""
MOST_YEARS = 8
"""The most years from a 29 February to the next one."""

OFFSET = re.compile(r"(?:utc|gmt)?(?P<sign>[+-])(?P<hours>[0-9]{1,2})(?::?(?P<minutes>[0-9]{2}))?")
"""A time zone that is written as its offset from UTC."""

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?)\b"
_NUMBER = re.compile(rf"\b(?P<word>an?|{'|'.join(_NUMBERS)})\s+(?={_UNIT})")

_SPANS = {
    "mo": timedelta(days=30),
    "mi": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_PART = re.compile(
    r"(?P<count>[0-9]{1,4})\s*(?P<unit>months?|min(?:utes?|s)?|h(?:ou)?rs?|[hdw]|days?|weeks?)"
)
_SPAN = re.compile(rf"{_PART.pattern}(?:(?:\s|,|and)*{re.sub('[?]P<[a-z]+>', '?:', _PART.pattern)})*")
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_RELATIVE_DAYS = ("yesterday", "today", "tomorrow", "day after tomorrow")
_WEEKDAYS = [name.lower() for name in calendar.day_name]
_WEEKDAY = re.compile(r"(?P<name>[a-z]{3,9})\.?")
_STAMP = re.compile(r"<t:(?P<seconds>[0-9]{1,11})(?::[a-z])?>")
_LEADING = re.compile(r"^(?:(?:back|until|till|to|on|in|for|next|this|the|at|by)\b\s*)+")
_YEAR = r"(?:[\s,]+(?P<year>[0-9]{4}))?"
_DAY = r"(?P<day>[0-9]{1,2})"
_SHORT_YEAR = r"(?P<year>[0-9]{4}|[0-9]{2})"
_NUMBERED = (
    re.compile(r"(?P<year>[0-9]{4})[-./](?P<month>[0-9]{1,2})[-./](?P<day>[0-9]{1,2})"),
    re.compile(rf"(?P<day>[0-9]{{1,2}})\.\s*(?P<month>[0-9]{{1,2}})\.?\s*{_SHORT_YEAR}?"),
)
_NAMED = (
    re.compile(rf"{_DAY}(?:st|nd|rd|th|\.)?\s*(?:of\s+)?(?P<name>[a-z]{{3,9}})\.?{_YEAR}"),
    re.compile(rf"(?P<name>[a-z]{{3,9}})\.?\s*(?:the\s+)?{_DAY}(?:st|nd|rd|th)?{_YEAR}"),
)
_SLASHED = re.compile(rf"(?P<one>[0-9]{{1,2}})[-/](?P<other>[0-9]{{1,2}})(?:[-/]{_SHORT_YEAR})?")
_BEFORE_TIME = re.compile(r"[\s,]+(?:at\s+)?|(?<=[0-9])t(?=[0-9])")
_TIME = re.compile(
    r"(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-9]{2}))?\s*(?:(?P<half>[ap])\.?m\.?|(?P<hours>h|o'?clock|uhr))?"
)
_TIMES = {"noon": NOON, "midday": NOON, "midnight": time(0)}


def zone_of(name: str) -> tzinfo:
    """Return the time zone of a name that `read_zone` has returned; UTC if the machine no longer knows the zone."""
    offset = OFFSET.fullmatch(name.lower())
    if offset is None:
        try:
            return ZoneInfo(name)
        except ZoneInfoNotFoundError:
            return UTC
    span = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"] or 0))
    return timezone(span if offset["sign"] == "+" else -span)


def read_date(text: str, now: datetime, zone: tzinfo = UTC) -> datetime:
    """Return the time that `Monday`, `5 December`, `2026-12-05 18:00`, `tomorrow noon` or `in 5 days` means.

    A day without a year is the next one, and a day without a time of day is its noon. Times of day are those of
    `zone`. A time that clocks skip there in spring is read by the clock before, and one that comes twice in autumn is
    the first. Raises Refused, also for a time that has passed.
    """
    plain = " ".join(text.lower().split())
    found = _read(with_digits(_LEADING.sub("", plain)), now, zone)
    if found is None:
        raise Refused("Write a date like `5 December`, `Monday 18:00`, `2026-12-05` or `in 5 days`.")
    if found <= now:
        raise Refused("That date has passed; write a later one, like `in 5 days`.")
    return found


def time_of_day(plain: str, *, bare: bool = False) -> time | None:
    """Return the time of day that `18:00`, `6 pm`, `18h` or `noon` means, or None; with `bare` also `18`."""
    if plain in _TIMES:
        return _TIMES[plain]
    found = _TIME.fullmatch(plain)
    if found is None or not (bare or found["minute"] or found["half"] or found["hours"]):
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"] == "p" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def with_digits(text: str) -> str:
    """Return a text in which the numbers before units of time are digits: `a day` is `1 day`, `half an hour` 30 min."""

    def digits(found: re.Match[str]) -> str:
        word = found["word"]
        return f"{_NUMBERS.index(word) + 1 if word in _NUMBERS else 1} "

    return _NUMBER.sub(digits, text.replace("half an hour", "30 min"))


def _read(plain: str, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the time that a text without leading words means, or None."""
    if stamp := _STAMP.fullmatch(plain):
        with suppress(OverflowError, ValueError, OSError):
            return datetime.fromtimestamp(int(stamp["seconds"]), UTC)
        return None
    if plain in ("week", "month"):
        plain = f"1 {plain}"
    if _SPAN.fullmatch(plain):
        return now + sum((_span(part) for part in _PART.finditer(plain)), timedelta(0))
    today = now.astimezone(zone).date()
    if (at := time_of_day(plain)) is not None and _day(plain, today) is None:
        found = _at(today, at, zone)
        return found if found > now else _at(today + timedelta(days=1), at, zone)
    for day, at in _split(plain, today):
        return _at(day, at, zone)
    return None


def _span(part: re.Match[str]) -> timedelta:
    unit = next(unit for unit in _SPANS if part["unit"].startswith(unit))
    return int(part["count"]) * _SPANS[unit]


def _at(day: date, at: time, zone: tzinfo) -> datetime:
    return datetime.combine(day, at, zone).astimezone(UTC)


def _split(plain: str, today: date) -> Iterator[tuple[date, time]]:
    """Yield the readings of a text as a day and a time of day; without a time of day, noon."""
    if (day := _day(plain, today)) is not None:
        yield day, NOON
    for gap in _BEFORE_TIME.finditer(plain):
        at = time_of_day(plain[gap.end() :], bare="at" in gap[0])
        if at is not None and (day := _day(plain[: gap.start()], today)) is not None:
            yield day, at


def _day(plain: str, today: date) -> date | None:
    """Return the day that a text means, or None. Raises Refused if it can be two days."""
    if plain in _RELATIVE_DAYS:
        return today + timedelta(days=_RELATIVE_DAYS.index(plain) - 1)
    if (weekday := _weekday(plain)) is not None:
        return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    first, _, rest = plain.partition(" ")
    if rest and _weekday(first.rstrip(",")) is not None:
        plain = rest
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


def _weekday(plain: str) -> int | None:
    """Return the number of a weekday, 0 for Monday, by its name or the first three letters or more; or None."""
    found = _WEEKDAY.fullmatch(plain)
    names = (number for number, name in enumerate(_WEEKDAYS) if found and name.startswith(found["name"]))
    return next(names, None)


def _dated(year: str | None, month: int, day: int, today: date) -> date | None:
    """Return a day of this year, or the next such day; None if there is none in the calendar."""
    if year is not None:
        number = int(year) + (2000 if len(year) == 2 else 0)
        # The first and the last year that dates can have may end elsewhere in a year that they cannot have.
        with suppress(ValueError):
            return date(number, month, day) if MINYEAR < number < MAXYEAR else None
        return None
    for number in range(today.year, today.year + MOST_YEARS + 1):
        with suppress(ValueError):
            if (found := date(number, month, day)) >= today:
                return found
    return None
