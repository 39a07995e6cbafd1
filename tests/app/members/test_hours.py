"""Hours and time zones as members write them."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.app.clocks.dates import zone_of
from bot.app.errors import Refused
from bot.app.members.digests import read_hour, read_hours, read_zone, within_hours

NOW = datetime(2026, 7, 1, 18, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("18-23", (18, 23)),
        ("8:00 to 22:00", (8, 22)),
        (" 9 – 17 ", (9, 17)),
        ("20h-24h", (20, 24)),
        ("22 until 2", (22, 2)),
        ("18-0", (18, 24)),
        ("6pm-11pm", (18, 23)),
        ("6 - 11 pm", (18, 23)),
        ("6 pm to 11", (18, 23)),
        ("9am-5pm", (9, 17)),
        ("9-5pm", (9, 17)),
        ("10 p.m. till 2 a.m.", (22, 2)),
        ("10pm-2", (22, 2)),
        ("noon-6pm", (12, 18)),
        ("12-5pm", (12, 17)),
        ("18h to midnight", (18, 24)),
        ("midnight to 6", (0, 6)),
        ("1800-2300", (18, 23)),
        ("all day", (0, 24)),
        ("0-24", (0, 24)),
    ],
)
def test_hours_are_read_generously(text: str, hours: tuple[int, int]) -> None:
    assert read_hours(text) == hours


@pytest.mark.parametrize(
    "text",
    [
        "",
        "evenings",
        "18",
        "6pm",
        "noon",
        "18h",
        "18-18",
        "25-30",
        "13pm-14pm",
        "-3-5",
        "18:30-20:30",
        "1-2-3",
        "tomorrow",
    ],
)
def test_other_hours_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(Refused, match="like `18-23`"):
        read_hours(text)


@pytest.mark.parametrize(
    ("text", "hour"),
    [("18", 18), (" 7:00 ", 7), ("6 pm", 18), ("12am", 0), ("12 pm", 12), ("24", 0), ("9h", 9), ("noon", 12)],
)
def test_one_hour_is_read_generously(text: str, hour: int) -> None:
    assert read_hour(text) == hour


@pytest.mark.parametrize("text", ["", "evening", "25", "13 pm", "0 am", "7:30", "-1"])
def test_other_words_for_an_hour_are_refused(text: str) -> None:
    with pytest.raises(Refused, match="like `18` or `6 pm`"):
        read_hour(text)


def test_hours_may_go_on_after_midnight() -> None:
    assert [hour for hour in range(24) if within_hours(hour, 22, 2)] == [0, 1, 22, 23]
    assert [hour for hour in range(24) if within_hours(hour, 18, 20)] == [18, 19]
    assert all(within_hours(hour, 0, 24) for hour in range(24))


ZONES = [
    ("utc", "UTC", 0),
    ("Europe/Berlin", "Europe/Berlin", 2),
    ("berlin", "Europe/Berlin", 2),
    ("new york", "America/New_York", -4),
    ("UTC+2", "UTC+02:00", 2),
    ("gmt -3", "UTC-03:00", -3),
    ("+05:30", "UTC+05:30", 5.5),
    ("20:05", "UTC+02:00", 2),
    ("11:10", "UTC-07:00", -7),
    ("4.07", "UTC+10:00", 10),
    ("18:10", "UTC", 0),
    ("8:05 pm", "UTC+02:00", 2),
    ("8 pm", "UTC+02:00", 2),
    ("noon", "UTC-06:00", -6),
]


def test_time_zones_are_read_generously() -> None:
    for text, zone, offset in ZONES:
        assert read_zone(text, NOW) == zone, text
        assert NOW.astimezone(zone_of(zone)).utcoffset() == timedelta(hours=offset), text


def test_stored_zone_that_is_unknown_here_counts_as_utc() -> None:
    """Otherwise one such wish would keep all members of a server from being told."""
    assert zone_of("Europe/Atlantis") is UTC


@pytest.mark.parametrize(
    "text",
    ["", "Atlantis", "18", "13 pm", "tomorrow", "UTC+15", "25:00", "../etc/passwd", "posix/Europe/Berlin"],
)
def test_other_time_zones_are_refused_with_examples(text: str) -> None:
    with pytest.raises(Refused, match="like `Europe/Berlin`"):
        read_zone(text, NOW)
