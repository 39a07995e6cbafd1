"""Dates as people write them."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.clocks.dates import read_date
from bot.app.errors import Refused

NOW = datetime(2026, 11, 27, 15, 30, tzinfo=UTC)
"""A Friday."""


def noon(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 12, tzinfo=UTC)


READ = [
    ("5 December", noon(2026, 12, 5)),
    ("until the 5th of dec", noon(2026, 12, 5)),
    ("Dec 5, 2026", noon(2026, 12, 5)),
    ("december 5th", noon(2026, 12, 5)),
    ("5. december 2026", noon(2026, 12, 5)),
    ("3 March", noon(2027, 3, 3)),
    ("2026-12-05", noon(2026, 12, 5)),
    ("2026/12/5", noon(2026, 12, 5)),
    ("5.12.", noon(2026, 12, 5)),
    ("05.12.2026", noon(2026, 12, 5)),
    ("24/12", noon(2026, 12, 24)),
    ("12/24/2026", noon(2026, 12, 24)),
    ("12/12", noon(2026, 12, 12)),
    ("Monday", noon(2026, 11, 30)),
    ("next mon", noon(2026, 11, 30)),
    ("friday", noon(2026, 12, 4)),
    ("mon.", noon(2026, 11, 30)),
    ("this saturday", noon(2026, 11, 28)),
    ("Monday, 7 December", noon(2026, 12, 7)),
    ("Mon 7 Dec 2026", noon(2026, 12, 7)),
    ("24-12-2026", noon(2026, 12, 24)),
    ("24.12.26", noon(2026, 12, 24)),
    ("29 February", noon(2028, 2, 29)),
    ("2028-02-29", noon(2028, 2, 29)),
    ("tomorrow", noon(2026, 11, 28)),
    ("the day after tomorrow", noon(2026, 11, 29)),
    ("tomorrow noon", noon(2026, 11, 28)),
    ("tomorrow at 18", noon(2026, 11, 28) + timedelta(hours=6)),
    ("tomorrow 18h", noon(2026, 11, 28) + timedelta(hours=6)),
    ("monday, 6:30 pm", noon(2026, 11, 30) + timedelta(hours=6, minutes=30)),
    ("5 December 8am", noon(2026, 12, 5) - timedelta(hours=4)),
    ("2026-12-05T18:00", noon(2026, 12, 5) + timedelta(hours=6)),
    ("6pm", noon(2026, 11, 27) + timedelta(hours=6)),
    ("today at 6 p.m.", noon(2026, 11, 27) + timedelta(hours=6)),
    ("noon", noon(2026, 11, 28)),
    ("midnight", noon(2026, 11, 28) - timedelta(hours=12)),
    ("8:00", noon(2026, 11, 28) - timedelta(hours=4)),
    ("18h", NOW + timedelta(hours=18)),
    ("in three days", NOW + timedelta(days=3)),
    ("2 days and 3 hours", NOW + timedelta(days=2, hours=3)),
    ("1d12h", NOW + timedelta(hours=36)),
    ("in half an hour", NOW + timedelta(minutes=30)),
    ("90 minutes", NOW + timedelta(minutes=90)),
    ("next week", NOW + timedelta(days=7)),
    ("a month", NOW + timedelta(days=30)),
    ("in 5 days", NOW + timedelta(days=5)),
    ("for a week", NOW + timedelta(days=7)),
    ("36 hours", NOW + timedelta(hours=36)),
    ("3d", NOW + timedelta(days=3)),
    ("<t:1796472000:F>", datetime.fromtimestamp(1796472000, UTC)),
]


def test_dates_are_read_generously() -> None:
    for text, at in READ:
        assert read_date(text, NOW) == at, text


REFUSED = [
    ("", "Write a date like `5 December`, `Monday 18:00`"),
    ("soon", "Write a date like"),
    ("5", "Write a date like"),
    ("31 February", "Write a date like"),
    ("29 February 2027", "Write a date like"),
    ("9999-12-31 23:59", "Write a date like"),
    ("0001-01-01", "Write a date like"),
    ("monday 25:00", "Write a date like"),
    ("tomorrow 13pm", "Write a date like"),
    ("18", "Write a date like"),
    ("5-12-26", "can mean two dates"),
    ("5/12 18:00", "can mean two dates"),
    ("today 15:30", "has passed"),
    ("5 Smarch", "Write a date like"),
    ("5/12", "can mean two dates"),
    ("today", "has passed"),
    ("yesterday 18:00", "has passed"),
    ("2025-12-05", "has passed"),
    ("0 days", "has passed"),
]


def test_other_dates_are_refused_in_one_sentence() -> None:
    for text, sentence in REFUSED:
        with pytest.raises(Refused, match=sentence):
            raise AssertionError(f"{text} is read as {read_date(text, NOW)}")


BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("text", "now", "zone", "at"),
    [
        # Clocks go forward on 28 March 2027 and back on 31 October 2027 in Berlin.
        ("tomorrow 18:00", "2027-03-26 10:00", BERLIN, "2027-03-27 17:00"),
        ("sunday 18:00", "2027-03-26 10:00", BERLIN, "2027-03-28 16:00"),
        ("sunday 2:30", "2027-03-26 10:00", BERLIN, "2027-03-28 01:30"),
        ("in 3 days", "2027-03-26 10:00", BERLIN, "2027-03-29 10:00"),
        ("sunday noon", "2027-10-29 10:00", BERLIN, "2027-10-31 11:00"),
        ("sunday 2:30", "2027-10-29 10:00", BERLIN, "2027-10-31 00:30"),
        ("18h", "2027-10-30 20:00", BERLIN, "2027-10-31 14:00"),
        ("29 February", "2028-02-28 10:00", BERLIN, "2028-02-29 11:00"),
        # The day is that of the zone.
        ("tomorrow", "2027-01-05 02:00", NEW_YORK, "2027-01-05 17:00"),
        ("tuesday 8am", "2027-01-05 02:00", NEW_YORK, "2027-01-05 13:00"),
        ("11 pm", "2027-01-05 02:00", NEW_YORK, "2027-01-05 04:00"),
    ],
)
def test_times_of_day_are_those_of_the_zone(text: str, now: str, zone: ZoneInfo, at: str) -> None:
    assert read_date(text, datetime.fromisoformat(f"{now}+00:00"), zone) == datetime.fromisoformat(
        f"{at}+00:00"
    )


@given(
    st.text(st.sampled_from("0123456789./-: <>tdwhmonaecjbp,"), max_size=20),
    st.sampled_from([UTC, BERLIN, NEW_YORK]),
)
def test_whatever_is_typed_is_read_or_refused(text: str, zone: tzinfo) -> None:
    with suppress(Refused):
        assert read_date(text, NOW, zone) > NOW
