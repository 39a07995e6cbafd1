"""Time controls as people write them: read from text, and spelled out."""

import re
from datetime import timedelta

from bot.app.errors import Refused
from db.values.clocks import TimeControl

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(days=30)
COMMON_TIME_CONTROLS = ("none", "24h", "3d", "7d", "10m+5s", "15m+10s", "30m+20s")
"""Time controls that are suggested; any other can be typed."""

LONGEST_INCREMENT = timedelta(hours=1)
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}

_SPAN = re.compile(r"(?:[0-9]{1,6}[smhdw])+")
_PART = re.compile(r"(?P<count>[0-9]+)(?P<unit>[smhdw])")
_WORDS = (
    (r"(?:seconds?|secs?)", "s"),
    (r"(?:minutes?|mins?)", "m"),
    (r"(?:hours?|hrs?)", "h"),
    (r"days?", "d"),
    (r"weeks?", "w"),
)


def read_time_control(text: str) -> TimeControl | None:
    """Return the time control that `24h`, `3 days`, `15m+10s` or `10+5` means; None for no clock.

    Raises Refused.
    """
    plain = re.sub(r"(?:for each|a|per|each|/)\s*move|each|\s", "", text.lower())
    if plain in ("", "none", "no", "noclock", "untimed"):
        return None
    for words, unit in _WORDS:
        plain = re.sub(rf"(?<=[0-9]){words}(?![a-z])", unit, plain)
    span, plus, increment = plain.partition("+")
    if plus:  # bare numbers are minutes and seconds, as at a chess club
        span += "m" if span.isdecimal() else ""
        increment += "s" if increment.isdecimal() else ""
    if _SPAN.fullmatch(span) is None or (plus and _SPAN.fullmatch(increment) is None):
        raise Refused(
            "Write a clock like `24h` or `3d` for each move, `15m+10s` for the whole game, or `none`."
        )
    time_control = TimeControl(_seconds(span), _seconds(increment) if plus else None)
    if not SHORTEST <= time_control.span <= LONGEST:
        raise Refused("A clock gives from 1 minute to 30 days; write it like `24h` or `15m+10s`.")
    if time_control.increment is not None and time_control.increment > LONGEST_INCREMENT:
        raise Refused("A move can add at most 1 hour to a clock; write it like `15m+10s`.")
    return time_control


def spell_time_control(time_control: TimeControl | None) -> str:
    """Return a time control in words: `no clock`, `1 day for each move`, `15 min each + 10 s a move`."""
    if time_control is None:
        return "no clock"
    if time_control.increment is None:
        return f"{_spelled(time_control.span)} for each move"
    if not time_control.increment:
        return f"{_spelled(time_control.span)} each for the whole game"
    return f"{_spelled(time_control.span)} each + {_spelled(time_control.increment)} a move"


def _seconds(text: str) -> timedelta:
    return timedelta(seconds=sum(int(part["count"]) * UNITS[part["unit"]] for part in _PART.finditer(text)))


def _spelled(span: timedelta) -> str:
    left = span // timedelta(seconds=1)
    words = []
    for size, name in ((86400, "day"), (3600, "h"), (60, "min"), (1, "s")):
        count, left = divmod(left, size)
        if count:
            words.append(f"{count} {name}{'s' if name == 'day' and count > 1 else ''}")
    return " ".join(words) or "0 s"
