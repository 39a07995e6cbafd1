"""Showing what is stored already, where an error is no reason to stop."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from bot.app.errors import Refused
from bot.ui.kit.posts.posting import DISCORD_ERRORS

log = structlog.get_logger()


@contextmanager
def shown_later() -> Iterator[None]:
    """Log what cannot be shown now. The bot shows it in a later round, or not at all."""
    try:
        yield
    except (Refused, *DISCORD_ERRORS) as error:
        log.info("not shown yet", error=type(error).__name__)
