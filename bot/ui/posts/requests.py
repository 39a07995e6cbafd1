"""Requests to Discord: the errors by which they fail, changes in archived threads, and the pace of limited requests."""

from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import aiohttp
import discord
import structlog

from bot.app.tasks.rounds import TryLater
from bot.ui.posts.clients import Clients
from db.values.places import Place

log = structlog.get_logger()

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
"""Error codes of Discord. A message with the nonce of a message that was deleted is refused with the second one."""
CLOSED = (50083, 160005)
"""Error codes of Discord for an archived and a locked thread. Discord often uses the first one for both."""


def is_closed(error: BaseException) -> bool:
    """Return True if Discord refused a request because a thread is archived or locked."""
    return isinstance(error, discord.HTTPException) and error.code in CLOSED


async def unarchiving(clients: Clients, place: Place, change: Callable[[], Awaitable[object]]) -> None:
    """Change a message of the bot. If the message is in an archived thread, unarchive the thread for that time.

    `change` may be called twice. Raises the error of `change`, with a code of CLOSED if the bot may not unarchive the
    thread.
    """
    try:
        await change()
    except discord.HTTPException as error:
        if not is_closed(error):
            raise
        thread = await clients.fetch_thread(place)
        if thread is None or not thread.archived:
            raise
        try:
            await thread.edit(archived=False)
        except discord.Forbidden:
            raise error from None
        try:
            await change()
        finally:
            await _archive(thread)


async def _archive(thread: discord.Thread) -> None:
    """Archive a thread again. Only its creator may do so; other threads are archived by Discord later."""
    try:
        await thread.edit(archived=True)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.info("thread.not_archived", thread=thread.id, error=type(error).__name__)


DISCORD_ERRORS = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""The errors of a request to Discord: refused, rate-limited for long, or not delivered."""


def is_temporary(error: BaseException) -> bool:
    """Return True if the same request may succeed later."""
    return not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429


@contextmanager
def retried_if_temporary() -> Iterator[None]:
    """Raise TryLater for errors of Discord after which the same request may succeed later."""
    try:
        yield
    except DISCORD_ERRORS as error:
        if is_temporary(error):
            raise TryLater from error
        raise


class NotYet(Exception):
    """A message cannot be sent now, which is no failure. It is due again after `pause`."""

    def __init__(self, pause: timedelta = timedelta(minutes=1)) -> None:
        self.pause = pause


REMEMBERED = 10_000
"""The most reserved times that are remembered. Beyond this, all are forgotten and reserved again."""


class Pace:
    """Reserves times for requests: one every `span`. Keys are paced separately."""

    def __init__(self, span: timedelta) -> None:
        self._span = span
        self._free_at: dict[Hashable, datetime] = {}
        self._reserved: dict[tuple[Hashable, Hashable], datetime] = {}

    def wait(self, item: Hashable, now: datetime, key: Hashable = None) -> timedelta:
        """Return the time until a request for `item` may be made. It is zero if the request may be made now.

        The first call reserves the time. The call that returns zero ends the reservation.
        """
        at = self._reserved.get((key, item))
        if at is None:
            at = max(now, self._free_at.get(key, now))
            self._free_at[key] = at + self._span
        if at <= now:
            self._reserved.pop((key, item), None)
            return timedelta()
        if len(self._reserved) >= REMEMBERED:
            self._reserved.clear()
        self._reserved[key, item] = at
        return at - now
