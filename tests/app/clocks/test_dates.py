"""Dates as people write them."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.clocks.dates import read_date
from bot.app.errors import Refused

NOW = datetime(2026, 11, 27, 15, 30, tzinfo=UTC)
"""A Friday."""


def noon(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "at"),
    [
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
        ("tomorrow", noon(2026, 11, 28)),
        ("in 5 days", NOW + timedelta(days=5)),
        ("for a week", NOW + timedelta(days=7)),
        ("36 hours", NOW + timedelta(hours=36)),
        ("3d", NOW + timedelta(days=3)),
        ("<t:1796472000:F>", datetime.fromtimestamp(1796472000, UTC)),
    ],
)
def test_dates_are_read_generously(text: str, at: datetime) -> None:
    assert read_date(text, NOW) == at


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Write a date like `5 December`"),
        ("soon", "Write a date like"),
        ("5", "Write a date like"),
        ("31 February", "Write a date like"),
        ("5 Smarch", "Write a date like"),
        ("5/12", "can mean two dates"),
        ("today", "has passed"),
        ("2025-12-05", "has passed"),
        ("0 days", "has passed"),
    ],
)
def test_other_dates_are_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        read_date(text, NOW)


@given(st.text(st.sampled_from("0123456789./-: <>tdwhmonaecjb"), max_size=20))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    with suppress(Refused):
        assert read_date(text, NOW) > NOW
