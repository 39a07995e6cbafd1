"""Repeated warnings are logged once a minute, so that an outage of Discord or of the database does not fill the log."""

import logging
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any

from bot.app.tasks.background import is_round

MINUTE = 60.0
RECONNECT = "Attempting a reconnect in %.2fs"
"""The line of discord.py that tells of a lost connection to the gateway: as an error, with a traceback."""


class Repeats(logging.Filter):
    """Lets one line of a kind pass in a minute, with the number of those since the last as `times`.

    This concerns lines from the level warning on, of libraries and of what the bot does by itself. What it does for a
    member is always logged.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._now = now
        self._quiet_until: dict[tuple[object, ...], float] = {}
        self._dropped: Counter[tuple[object, ...]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if a line is to be logged."""
        kind = _kind(record)
        if record.msg == RECONNECT:
            _calm(record)
        if kind is None or record.levelno < logging.WARNING:
            return True
        if self._now() < self._quiet_until.get(kind, 0.0):
            self._dropped[kind] += 1
            return False
        self._quiet_until[kind] = self._now() + MINUTE
        if dropped := self._dropped.pop(kind, 0):
            _add_times(record, dropped + 1)
        return True


def _kind(record: logging.LogRecord) -> tuple[object, ...] | None:
    """Return what lines of one kind have in common; None for what the bot does for a member."""
    said: Any = record.msg
    if not isinstance(said, dict):
        return record.name, said, record.exc_info and record.exc_info[0]
    request = said.get("request")
    if request is not None and not is_round(request):
        return None
    return record.name, said.get("event"), said.get("task"), said.get("error")


def _add_times(record: logging.LogRecord, times: int) -> None:
    said: Any = record.msg
    if isinstance(said, dict):
        record.msg = {**said, "times": times}
    else:
        record.msg, record.args = f"{record.getMessage()} ({times} times)", ()


def _calm(record: logging.LogRecord) -> None:
    """Make a warning in one line of the error with which a connection was lost: it is made again."""
    error = record.exc_info[1] if record.exc_info else None
    name = type(error).__name__
    record.msg, record.args = f"The gateway cannot be reached ({name}). {record.getMessage()}", ()
    record.levelno, record.levelname, record.exc_info, record.exc_text = (
        logging.WARNING, logging.getLevelName(logging.WARNING), None, None,
    )  # fmt: skip
