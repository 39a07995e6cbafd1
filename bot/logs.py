"""Structured logs on standard error. Nothing secret is ever bound to them: no token, no hidden move."""

import logging
import sys
from typing import Literal

import structlog


def set_up_logs(level: str, form: Literal["text", "json"]) -> None:
    """Route our own and every library's log lines through one formatter."""
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
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # Line by line reports of every request and statement help nobody, and hold what nobody may read: at the level
    # debug these libraries print each event, statement and address with the hidden moves and tokens in it.
    for telling in ("discord", "aiosqlite", "asyncpg", "sqlalchemy"):
        logging.getLogger(telling).setLevel(max(logging.INFO, logging.getLogger().level))
    for noisy in ("discord.http", "sqlalchemy.engine", "alembic.runtime.migration", "aiohttp.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
