"""The pace of requests and of new channels of direct messages."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.ui.posts.direct_messages import BURST, LONGEST_PAUSE, LONGEST_WAIT, SPAN, TURN_LASTS, next_turn
from bot.ui.posts.requests import Pace
from db.values.posts import OpeningPace

NOW = datetime(2026, 11, 26, tzinfo=UTC)
REST = OpeningPace(NOW - timedelta(days=1), NOW - timedelta(days=1))


def turns(pace: OpeningPace, count: int, now: datetime = NOW) -> tuple[list[timedelta], OpeningPace]:
    """Return the waiting times of the next channels, and the pace afterwards."""
    waits = []
    for _ in range(count):
        turn, pace = next_turn(pace, now, None, LONGEST_WAIT)
        assert turn is not None
        waits.append(max(timedelta(), turn - now))
    return waits, pace


def test_reserved_item_does_not_wait_for_later_items() -> None:
    pace = Pace(timedelta(seconds=5))
    assert [pace.wait(item, NOW).seconds for item in "abcd"] == [0, 5, 10, 15]
    later = NOW + timedelta(seconds=5)
    assert [pace.wait(item, later).seconds for item in "bdx"] == [0, 10, 15]


def test_few_channels_are_opened_at_once() -> None:
    waits, pace = turns(REST, BURST + 2)
    assert waits == [timedelta()] * BURST + [SPAN, 2 * SPAN]
    assert turns(pace, 1)[0] == [3 * SPAN]


def test_channel_that_would_wait_too_long_is_not_reserved() -> None:
    _, pace = turns(REST, BURST + LONGEST_WAIT // SPAN)
    assert next_turn(pace, NOW, None, LONGEST_WAIT) == (None, pace)
    assert next_turn(turns(REST, BURST)[1], NOW, None, timedelta())[0] is None


def test_no_burst_follows_a_pause() -> None:
    pause = timedelta(minutes=5)
    _, pace = turns(REST, BURST)
    waits, _ = turns(replace(pace, paused_until=NOW + pause), 3)
    assert waits == [pause, pause + SPAN, pause + 2 * SPAN]


def test_reserved_time_holds_for_a_moment() -> None:
    _, pace = turns(REST, BURST + 1)
    held, later = NOW + SPAN, NOW + SPAN + TURN_LASTS
    assert next_turn(pace, held, held, LONGEST_WAIT) == (held, pace)
    late, reserved = next_turn(pace, later, held, LONGEST_WAIT)
    assert late != held
    assert reserved != pace
    paused = replace(pace, paused_until=held)
    assert next_turn(paused, held, held, LONGEST_WAIT)[1] != paused


def test_times_of_a_wrong_clock_count_as_past() -> None:
    tomorrow = NOW + LONGEST_PAUSE + timedelta(days=1)
    assert turns(OpeningPace(tomorrow, tomorrow), 1)[0] == [timedelta()]
