"""The pace of requests."""

from datetime import UTC, datetime, timedelta

from bot.ui.posts.requests import Pace


def test_reserved_item_does_not_wait_for_later_items() -> None:
    pace, now = Pace(timedelta(seconds=5)), datetime(2026, 11, 26, tzinfo=UTC)
    waits = [pace.wait(item, now).seconds for item in "abcd"]
    assert waits == [0, 5, 10, 15]
    later = now + timedelta(seconds=5)
    assert [pace.expected(item, later).seconds for item in "bdx"] == [0, 10, 15]
    assert [pace.wait(item, later).seconds for item in "bdx"] == [0, 10, 15]
