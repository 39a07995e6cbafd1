"""Time controls as people type them."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.clocks.time_controls import read_time_control, spell_time_control
from bot.app.errors import Refused
from db.values.clocks import TimeControl
from tests.seeds import CHARACTERS

SECOND, MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))


MEANT = [
    ("", None),
    (" None ", None),
    ("no clock", None),
    ("unlimited", None),
    ("without a clock", None),
    ("24h", TimeControl(DAY)),
    ("18h", TimeControl(18 * HOUR)),
    ("a day", TimeControl(DAY)),
    ("one day per move", TimeControl(DAY)),
    ("three days each", TimeControl(3 * DAY)),
    ("3 days per turn", TimeControl(3 * DAY)),
    ("an hour", TimeControl(HOUR)),
    ("half an hour", TimeControl(30 * MINUTE)),
    ("1d12h", TimeControl(36 * HOUR)),
    ("3 days a move", TimeControl(3 * DAY)),
    ("2 Hours per move", TimeControl(2 * HOUR)),
    ("15m+10s", TimeControl(15 * MINUTE, 10 * SECOND)),
    ("10+5", TimeControl(10 * MINUTE, 5 * SECOND)),
    ("10 min + 5", TimeControl(10 * MINUTE, 5 * SECOND)),
    ("90m + 0", TimeControl(90 * MINUTE, timedelta(0))),
    ("2 weeks", TimeControl(14 * DAY)),
    ("3d+12h up to 7d", TimeControl(3 * DAY, 12 * HOUR, 7 * DAY)),
    ("3 days + 12 hours a move, at most 1 week", TimeControl(3 * DAY, 12 * HOUR, 7 * DAY)),
    ("2d + 1d max 2d", TimeControl(2 * DAY, DAY, 2 * DAY)),
    ("15+10 up to 20", TimeControl(15 * MINUTE, 10 * SECOND, 20 * MINUTE)),
]


def test_what_is_meant() -> None:
    for text, time_control in MEANT:
        assert read_time_control(text) == time_control, text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("24", "like `24h`"),
        ("soon", "like `24h`"),
        ("6pm", "like `24h`"),
        ("noon", "like `24h`"),
        ("tomorrow", "like `24h`"),
        ("18:00", "like `24h`"),
        ("+5s", "like `24h`"),
        ("5m+", "like `24h`"),
        ("5m+x", "like `24h`"),
        ("-5m", "like `24h`"),
        ("1.5h", "like `24h`"),
        ("1h+1h+1h", "like `24h`"),
        ("30s", "from 1 minute to 30 days"),
        ("31d", "from 1 minute to 30 days"),
        ("999999w", "from 1 minute to 30 days"),
        ("5m+2h", "adds more than 1 hour needs a limit, like"),
        ("3d up to 7d", "like `24h`"),
        ("3d+12h up to", "like `24h`"),
        ("up to 7d", "like `24h`"),
        ("3d+12h up to 2d", "at least the time at the beginning"),
        ("3d+5d up to 4d", "and at least what a move adds"),
        ("3d+12h up to 31d", "at most 30 days"),
    ],
)
def test_what_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        read_time_control(text)


@given(st.text(CHARACTERS, max_size=50))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    try:
        time_control = read_time_control(text)
    except Refused:
        return
    assert time_control is None or MINUTE <= time_control.span <= 30 * DAY


@given(st.integers(60, 30 * 86400), st.none() | st.integers(1, 3600), st.booleans())
def test_what_is_spelled_is_read_again(span: int, increment: int | None, capped: bool) -> None:
    time_control = TimeControl(span * SECOND, None if increment is None else increment * SECOND)
    if capped and increment is not None:
        time_control = replace(
            time_control, cap=30 * DAY - (30 * DAY - span * SECOND) // 2 // SECOND * SECOND
        )
    assert read_time_control(spell_time_control(time_control)) == time_control


def test_spelling() -> None:
    assert spell_time_control(None) == "no clock"
    assert spell_time_control(TimeControl(3 * DAY)) == "3 days for each move"
    assert spell_time_control(TimeControl(90 * MINUTE, timedelta(0))) == "1 h 30 min each for the whole game"
    assert spell_time_control(TimeControl(15 * MINUTE, 10 * SECOND)) == "15 min each + 10 s a move"
    capped = TimeControl(3 * DAY, 12 * HOUR, 7 * DAY)
    assert spell_time_control(capped) == "3 days each + 12 h a move, up to 7 days"
