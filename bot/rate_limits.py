"""Bounded waits for Discord's rate limits.

discord.py sleeps for as long as Discord asks, which may be hours, and raises a KeyError for a 429 response without
`retry_after`. Here both cases raise discord.RateLimited, and the caller repeats the request later.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import discord
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

LONGEST_WAIT = 30.0
"""Longest wait of a request for a rate limit, in seconds; the minimum that discord.py accepts."""
LONGEST_ANSWER = 60.0
"""Timeout in seconds of a response to an interaction, with its retries. discord.py has no limit for these."""
UNTIMED = 60.0
"""Seconds before the next attempt if Discord names no time."""


def bound_requests(http: discord.http.HTTPClient) -> None:
    """Make the requests of a client raise discord.RateLimited if Discord names no time to wait."""
    request: Callable[..., Awaitable[Any]] = http.request

    async def bounded(*args: Any, **kwargs: Any) -> Any:
        with _timed():
            return await request(*args, **kwargs)

    http.request = bounded  # type: ignore[method-assign]  # discord.py has no setting for it


def bound_answers() -> None:
    """Make responses to interactions raise discord.RateLimited or TimeoutError in this task and the tasks it starts."""
    async_context.set(_BoundedAdapter())  # type: ignore[no-untyped-call]  # its constructor has no type hints


class _BoundedAdapter(AsyncWebhookAdapter):
    """Sends responses to interactions."""

    async def request(self, *args: Any, **kwargs: Any) -> Any:
        with _timed():
            async with asyncio.timeout(LONGEST_ANSWER):
                return await super().request(*args, **kwargs)


@contextmanager
def _timed() -> Iterator[None]:
    """Convert the KeyError of discord.py for a missing `retry_after` into discord.RateLimited."""
    try:
        yield
    except KeyError as error:
        if error.args != ("retry_after",):
            raise
        raise discord.RateLimited(UNTIMED) from error
