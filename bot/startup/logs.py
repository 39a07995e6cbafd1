"""Structured logs on standard error. They never contain a token or a hidden move."""

import logging
import sys
from typing import Literal, TextIO

import structlog

from bot.startup.log_repeats import Repeats

log = structlog.get_logger()


class LogStream(logging.StreamHandler[TextIO]):
    """A handler for a stream that may not take lines, as a file on a full disk does not: the bot goes on without them.

    Once the stream takes lines again, a line says how many it did not take.
    """

    _failed = 0

    def emit(self, record: logging.LogRecord) -> None:
        before = self._failed
        super().emit(record)
        if before and before == self._failed:
            self._failed = 0
            log.warning("log.lines_lost", lines=before)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Count a line that the stream did not take. Other errors are printed, as usual."""
        if isinstance(sys.exc_info()[1], OSError):
            self._failed += 1
        else:
            super().handleError(record)


def set_up_logs(level: str, form: Literal["text", "json"]) -> None:
    """Send our own log lines and those of every library through one formatter."""
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
    # At the level info these report each request, statement, pool and login, which no operator can use.
    for noisy in (
        "discord.client",
        "discord.http",
        "sqlalchemy",
        "alembic",
        "aiohttp.access",
    ):
        logging.getLogger(noisy).setLevel(logging.WARNING)
