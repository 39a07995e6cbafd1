"""Messages and threads that are gone, archived or locked: Discord's error codes, and changes in archived threads."""

from collections.abc import Awaitable, Callable

import aiohttp
import discord
import structlog

from bot.ui.posts.clients import Clients
from db.values.places import Place

log = structlog.get_logger()

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
"""Error codes of Discord. A message with the nonce of a message that was deleted is refused with the second one."""
CLOSED = (50083, 160005)
"""Error codes of Discord for an archived and a locked thread. Discord often uses the first one for both."""


def is_closed(error: BaseException) -> bool:
    """True if Discord refused a request because a thread is archived or locked."""
    return isinstance(error, discord.HTTPException) and error.code in CLOSED


async def unarchiving(clients: Clients, place: Place, change: Callable[[], Awaitable[object]]) -> None:
    """Change a message of the bot. If it is in an archived thread, unarchive the thread for that time.

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
    """Archive a thread again. Only its creator may: another thread is archived by Discord in time."""
    try:
        await thread.edit(archived=True)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.info("thread.not_archived", thread=thread.id, error=type(error).__name__)
