"""The background task that publishes the posts that no interaction has published."""

import asyncio
from datetime import timedelta

import discord
import structlog

from bot.app.services import Services
from bot.app.tasks.background import set_within
from bot.app.tasks.rounds import ITEM_S
from bot.ui.posts.clients import Clients
from bot.ui.posts.outbox import TASK, ChannelGone, Outbox, item_of, post_of
from bot.ui.posts.requests import NotYet, Pace, retried_if_temporary
from db.values.places import DiscordId, Place
from db.values.posts import Post

log = structlog.get_logger()

PAGE = 200
"""Posts that one round reads."""
PAUSE = 15.0
"""Seconds between two rounds if nothing wakes the task."""
SLOW = 5.0
"""Seconds for which a round waits for one post: Discord may make each edit of an old message wait this long."""
OLD, OLD_EDIT_SPAN = timedelta(hours=1), timedelta(seconds=2.1)
"""The age of old messages, and the time between two edits of them: Discord allows three in six seconds per channel."""


class OutboxTask:
    """Publishes pending posts. A post that takes long holds up only the other posts of its channel."""

    def __init__(self, clients: Clients, services: Services, outbox: Outbox) -> None:
        self._clients = clients
        self._store = services.store
        self._clock = services.clock
        self._rounds = services.rounds
        self._outbox = outbox
        self._old_edits = Pace(OLD_EDIT_SPAN)
        self._slow: dict[DiscordId, tuple[int, asyncio.Task[None]]] = {}
        """By channel: the id of a post for which no round waits any more, and the task that publishes it."""
        self._skipped: set[int] = set()
        """Posts that cannot be published now, by id. They are left out until all other pending posts were read."""
        self._busy: set[DiscordId] = set()
        """Channels with a skipped post that another task publishes: their later posts wait, to keep the order."""

    async def round(self) -> float:
        """Publish pending posts, and wait until there may be others. Return the seconds to wait besides: none."""
        self._outbox.woken.clear()
        try:
            if await self.publish_pending() < PAGE:
                await set_within(self._outbox.woken, PAUSE)
        except asyncio.CancelledError:
            for _, task in self._slow.values():
                task.cancel()
            raise
        return 0.0

    async def publish_pending(self) -> int:
        """Publish a page of pending posts. Return how many were read."""
        failing = [post_of(item) for item in await self._rounds.waiting(TASK)]
        posts = await self._store.posts.pending(self._clock.now(), PAGE, [*failing, *self._skipped])
        await self._rounds.each(TASK, posts, self._publish_later, key=item_of)
        if len(posts) < PAGE:
            self._skipped.clear()
            self._busy.clear()
        return len(posts)

    async def _publish_later(self, post: Post) -> None:
        """Publish a post in a round. Raises what Rounds.each expects.

        After SLOW seconds the round goes on without this post, and leaves out other posts of its channel meanwhile.
        """
        lock, slow = self._outbox.lock(post.kind, post.subject, post.key), self._slow.get(post.channel)
        if lock.locked():
            self._busy.add(post.channel)
        waits = post.channel in self._busy or (slow is not None and not slow[1].done())
        if waits or not self._is_available(Place(post.guild, post.channel)):
            # Another task publishes it or a post of its channel, or its server is unavailable.
            self._skipped.add(post.id)
            return
        if slow is not None:
            del self._slow[post.channel]
            if slow[0] == post.id:
                slow[1].result()
        task = asyncio.create_task(self._publish_pending(post))
        try:
            async with asyncio.timeout(SLOW):
                await asyncio.shield(task)
        except TimeoutError:
            log.info("post.slow", post=post.id, kind=post.kind)
            self._slow[post.channel] = post.id, task
            task.add_done_callback(self._note_slow_end)
        except asyncio.CancelledError:
            task.cancel()
            raise

    def _is_available(self, place: Place) -> bool:
        """Return True if all data of a server are known, unlike after the start and during an outage of the server.

        Without the data, the bot seems to lack the permission to search a channel.
        """
        guild = self._clients.get_guild(place.guild)
        return guild is not None and not guild.unavailable and self._outbox.posting.reaches(place)

    def _note_slow_end(self, task: asyncio.Task[None]) -> None:
        """Start the next round, which reads the outcome of the post."""
        if not task.cancelled():
            task.exception()  # Without this, asyncio logs an error if no round reads it.
            self._outbox.wake()

    async def _publish_pending(self, post: Post) -> None:
        try:
            if (wait := self._wait_for_old_edit(post)) > timedelta():
                raise NotYet(wait)
            with retried_if_temporary():
                async with asyncio.timeout(ITEM_S):
                    await self._outbox.publish(post.kind, post.subject, post.key)
        except NotYet as later:
            await self._store.posts.postpone(post.id, self._clock.now() + later.pause)
            if later.pause.total_seconds() < PAUSE:
                asyncio.get_running_loop().call_later(later.pause.total_seconds(), self._outbox.wake)
        except ChannelGone:
            log.info("post.channel_gone", post=post.id, kind=post.kind)

    def _wait_for_old_edit(self, post: Post) -> timedelta:
        """Return the time until an old message may be edited. Discord limits such edits for each channel."""
        now = self._clock.now()
        if post.message is None or now - discord.utils.snowflake_time(post.message) < OLD:
            return timedelta()
        return self._old_edits.wait(post.id, now, post.channel)
