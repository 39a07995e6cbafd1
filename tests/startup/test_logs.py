"""Repeated warnings are logged once a minute, except those about members."""

import logging
from typing import Any

import pytest

from bot.startup.logs import RECONNECT, Repeats


class Hour:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hour() -> Hour:
    return Hour()


@pytest.fixture
def repeats(hour: Hour) -> Repeats:
    return Repeats(hour)


def record(message: Any, *args: object, level: int = logging.WARNING) -> logging.LogRecord:
    return logging.LogRecord("bot.ui", level, "file.py", 1, message, args, None)


def ours(request: str | None, **more: object) -> dict[str, object]:
    about = {} if request is None else {"request": request}
    return {"event": "board.post_failed", **about, **more}


def test_background_failure_is_logged_once_a_minute(repeats: Repeats, hour: Hour) -> None:
    said = [repeats.filter(record(ours(f"sweep-{number}", error="E", match=number))) for number in range(40)]
    assert said == [True, *[False] * 39]
    hour.now += 60
    later = record(ours("sweep-41", error="E", match=7))
    assert repeats.filter(later)
    assert later.msg == ours("sweep-41", error="E", match=7, times=40)


def test_another_error_is_another_kind(repeats: Repeats) -> None:
    assert repeats.filter(record(ours("sweep-1", error="E")))
    assert repeats.filter(record(ours("sweep-1", error="F")))
    assert repeats.filter(record(ours(None, task="clocks", error="E")))
    assert not repeats.filter(record(ours("sweep-2", error="E")))


def test_lines_for_members_and_no_warnings_are_always_logged(repeats: Repeats) -> None:
    assert all(repeats.filter(record(ours("7f3a2c"))) for _ in range(3))
    assert all(repeats.filter(record(ours("sweep-1"), level=logging.INFO)) for _ in range(3))


def test_lines_of_libraries_differ_by_their_form(repeats: Repeats, hour: Hour) -> None:
    limited = "%s responded with 429. Retrying in %.2f seconds."
    assert repeats.filter(record(limited, "/a", 0.5))
    assert not repeats.filter(record(limited, "/b", 0.7))
    assert repeats.filter(record("Global rate limit has been hit."))
    hour.now += 60
    later = record(limited, "/c", 0.1)
    assert repeats.filter(later)
    assert later.getMessage() == "/c responded with 429. Retrying in 0.10 seconds. (2 times)"


def test_lost_gateway_is_a_warning_without_a_traceback(repeats: Repeats) -> None:
    error = ConnectionResetError("Connection reset")
    lost = logging.LogRecord(
        "discord.client", logging.ERROR, "client.py", 1, RECONNECT, (1.5,), (type(error), error, None)
    )
    assert repeats.filter(lost)
    assert lost.levelname == "WARNING"
    assert lost.exc_info is None
    assert lost.getMessage() == (
        "The gateway cannot be reached (ConnectionResetError). Attempting a reconnect in 1.50s"
    )
