"""Time controls as people write them: read from text, and spelled out."""

import re
from datetime import timedelta

from bot.app.clocks.dates import with_digits
from bot.app.errors import Refused
from db.values.clocks import TimeControl

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(days=30)
COMMON_TIME_CONTROLS = ("none", "24h", "3d", "7d", "3d+12h up to 7d", "10m+5s", "15m+10s", "30m+20s")
"""Time controls that are suggested; any other can be typed."""

NO_CLOCK = ("", "none", "no", "off", "noclock", "withoutaclock", "notime", "untimed", "unlimited")
"""The words for no clock, without spaces."""

LONGEST_INCREMENT = timedelta(hours=1)
"""The longest increment without a cap."""
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}

_SPAN = re.compile(r"(?:[0-9]{1,6}[smhdw])+")
_PART = re.compile(r"(?P<count>[0-9]+)(?P<unit>[smhdw])")
_CAP = re.compile(r",?\s*\b(?:up\s*to|at\s+most|max(?:imum)?|cap(?:ped\s+at)?)\b:?")
_WORDS = (
    (r"(?:seconds?|secs?)", "s"),
    (r"(?:minutes?|mins?)", "m"),
    (r"(?:hours?|hrs?)", "h"),
    (r"days?", "d"),
    (r"weeks?", "w"),
)


def read_time_control(text: str) -> TimeControl | None:
    """Return the time control that `24h`, `3 days`, `15m+10s`, `10+5` or `3d+12h up to 7d` means; None for no clock.

    Raises Refused.
    """
    plain, *limits = (_plain(part) for part in _CAP.split(text.lower(), maxsplit=1))
    if not limits and plain in NO_CLOCK:
        return None
    span, plus, increment = plain.partition("+")
    limit = limits[0] if limits else ""
    if plus:  # bare numbers are minutes and seconds, as at a chess club
        span += "m" if span.isdecimal() else ""
        increment += "s" if increment.isdecimal() else ""
        limit += "m" if limit.isdecimal() else ""
    parts = [span, *([increment] if plus else []), *([limit] if limits else [])]
    if not all(map(_SPAN.fullmatch, parts)) or (limits and not plus):
        raise Refused(
            "Write a clock like `24h` or `3d` for each move, `15m+10s` for the whole game, `3d+12h up to 7d` with a"
            " limit, or `none`."
        )
    time_control = TimeControl(*map(_seconds, parts))
    if not SHORTEST <= time_control.span <= LONGEST:
        raise Refused("A clock gives from 1 minute to 30 days; write it like `24h` or `15m+10s`.")
    added, cap = time_control.increment, time_control.cap
    if cap is not None and not max(time_control.span, added or cap) <= cap <= LONGEST:
        raise Refused(
            "The limit must be at least the time at the beginning and at least what a move adds, and at most 30 days,"
            " like `3d+12h up to 7d`."
        )
    if cap is None and added is not None and added > LONGEST_INCREMENT:
        raise Refused("A clock to which a move adds more than 1 hour needs a limit, like `3d+12h up to 7d`.")
    return time_control


def _plain(text: str) -> str:
    """Return the spans of a clock in short, such as `3d+12h`, without the words around them."""
    plain = re.sub(r"(?:for each|a|per|each|/)\s*(?:move|turn)|each|\s", "", with_digits(text))
    for words, unit in _WORDS:
        plain = re.sub(rf"(?<=[0-9]){words}(?![a-z])", unit, plain)
    return plain


def spell_time_control(time_control: TimeControl | None) -> str:
    """Return a time control in words: `no clock`, `1 day for each move`, `15 min each + 10 s a move`.

    With a cap it is `3 days each + 12 h a move, up to 7 days`.
    """
    if time_control is None:
        return "no clock"
    if time_control.increment is None:
        return f"{spell_span(time_control.span)} for each move"
    if not time_control.increment:
        return f"{spell_span(time_control.span)} each for the whole game"
    limit = "" if time_control.cap is None else f", up to {spell_span(time_control.cap)}"
    return f"{spell_span(time_control.span)} each + {spell_span(time_control.increment)} a move{limit}"


def _seconds(text: str) -> timedelta:
    return timedelta(seconds=sum(int(part["count"]) * UNITS[part["unit"]] for part in _PART.finditer(text)))


def spell_span(span: timedelta) -> str:
    """Return a span in words: `3 days`, `1 h 30 min`."""
    left = span // timedelta(seconds=1)
    words = []
    for size, name in ((86400, "day"), (3600, "h"), (60, "min"), (1, "s")):
        count, left = divmod(left, size)
        if count:
            words.append(f"{count} {name}{'s' if name == 'day' and count > 1 else ''}")
    return " ".join(words) or "0 s"
