"""Structured logs on standard error. They never contain a token or a hidden move."""

import logging
import sys
from typing import Literal

import structlog

from bot.startup.log_repeats import Repeats


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
    handler = logging.StreamHandler(sys.stderr)
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
