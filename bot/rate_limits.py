"""Bounded waits for Discord's rate limits.

discord.py sleeps for as long as Discord asks, which may be hours, and raises a KeyError for a 429 response without
`retry_after`. Here both are a discord.RateLimited error, after which the request is made again later.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import discord
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

LONGEST_WAIT = 30.0
"""Seconds that a request waits for a rate limit; the least that discord.py accepts."""
LONGEST_ANSWER = 60.0
"""Seconds for an answer to an interaction, with its retries: discord.py has no limit of its own for these."""
UNTIMED = 60.0
"""Seconds after which to try again if Discord names no time."""


def bound_requests(http: discord.http.HTTPClient) -> None:
    """Let the requests of a client raise discord.RateLimited if Discord names no time to wait."""
    request: Callable[..., Awaitable[Any]] = http.request

    async def bounded(*args: Any, **kwargs: Any) -> Any:
        with _timed():
            return await request(*args, **kwargs)

    http.request = bounded  # type: ignore[method-assign]


def bound_answers() -> None:
    """Let answers to interactions raise discord.RateLimited or TimeoutError, in this task and those that it starts."""
    async_context.set(_BoundedAdapter())  # type: ignore[no-untyped-call]


class _BoundedAdapter(AsyncWebhookAdapter):
    """Sends answers to interactions."""

    async def request(self, *args: Any, **kwargs: Any) -> Any:
        with _timed():
            async with asyncio.timeout(LONGEST_ANSWER):
                return await super().request(*args, **kwargs)


@contextmanager
def _timed() -> Iterator[None]:
    """Turn the error of discord.py about a missing `retry_after` into discord.RateLimited."""
    try:
        yield
    except KeyError as error:
        if error.args != ("retry_after",):
            raise
        raise discord.RateLimited(UNTIMED) from error
