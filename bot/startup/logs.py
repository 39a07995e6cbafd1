"""Structured logs on standard error. They never contain a token or a hidden move."""

import logging
import sys
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any, Literal, TextIO

import structlog

from bot.app.tasks.background import is_round

MINUTE = 60.0
RECONNECT = "Attempting a reconnect in %.2fs"
"""The line of discord.py about a lost connection to the gateway, which it logs as an error with a traceback."""


class Repeats(logging.Filter):
    """Passes one line of each kind in a minute, with the number of lines since the last one as `times`.

    This applies to warnings and errors of libraries and of background tasks. Lines about interactions of members are
    always logged.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._now = now
        self._quiet_until: dict[tuple[object, ...], float] = {}
        self._dropped: Counter[tuple[object, ...]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a line."""
        kind = _kind(record)
        if record.msg == RECONNECT:
            _shorten(record)
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
    """Return the key that is equal for lines of one kind, or None for a line about a member's interaction."""
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


def _shorten(record: logging.LogRecord) -> None:
    """Change the error of a lost connection to a warning in one line, because discord.py reconnects."""
    error = record.exc_info[1] if record.exc_info else None
    name = type(error).__name__
    record.msg, record.args = f"The gateway cannot be reached ({name}). {record.getMessage()}", ()
    record.levelno, record.levelname, record.exc_info, record.exc_text = (
        logging.WARNING, logging.getLevelName(logging.WARNING), None, None,
    )  # fmt: skip


log = structlog.get_logger()


class LogStream(logging.StreamHandler[TextIO]):
    """A handler that ignores failed writes, such as those to a full disk, so that the bot continues.

    When writing works again, a line reports the number of lost lines.
    """

    _failed = 0

    def emit(self, record: logging.LogRecord) -> None:
        before = self._failed
        super().emit(record)
        if before and before == self._failed:
            self._failed = 0
            log.warning("log.lines_lost", lines=before)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Count a failed write. Other errors are printed, as usual."""
        if isinstance(sys.exc_info()[1], OSError):
            self._failed += 1
        else:
            super().handleError(record)


def set_up_logs(level: str, form: Literal["text", "json"]) -> None:
    """Format the log lines of the bot and of every library in the same way."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    renderer: structlog.typing.Processor = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    if form == "json":
        renderer = structlog.processors.JSONRenderer()
    handler = LogStream(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                renderer,
            ],
        )
    )
    handler.addFilter(Repeats())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # At the level debug these libraries log every event, statement and address, with hidden moves and tokens.
    for library in ("discord", "aiosqlite", "asyncpg"):
        logging.getLogger(library).setLevel(max(logging.INFO, logging.getLogger().level))
    # At the level info these libraries report each request, statement, pool and login.
    for noisy in (
        "discord.client",
        "discord.http",
        "sqlalchemy",
        "alembic",
        "aiohttp.access",
    ):
        logging.getLogger(noisy).setLevel(logging.WARNING)
