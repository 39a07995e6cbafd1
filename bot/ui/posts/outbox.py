"""The outbox: makes the messages in Discord match the posts in the store.

Every kind of post has a publisher, which returns the content that the post is to have. The outbox posts, edits,
replaces and deletes messages. An interaction publishes what it changed itself; a background task publishes everything
that is left: after a failure, after a restart, or when another process was stopped.

A post is pending until the store has recorded what Discord shows. If a process ends between the two, the message is
found again by the mark that every message carries (`marked`). docs/messages.md lists the guarantees of each kind.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

import aiohttp
import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.app.services import Services
from bot.app.tasks.background import Locks
from bot.app.tasks.rounds import ITEM_S, TryLater
from bot.ui.components.layout import message as plain_message
from bot.ui.components.wording import message_link
from bot.ui.posts.clients import Clients
from bot.ui.posts.closed_threads import UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, is_closed
from bot.ui.posts.drafts import ChannelGone, Draft, NotYet
from bot.ui.posts.lost_messages import MAIN, Found, LostMessages, marked
from bot.ui.posts.pace import Pace
from bot.ui.posts.permissions import PermissionAlerts
from bot.ui.posts.posting import DISCORD_ERRORS, Posting, PostTarget, is_temporary
from db.values.places import DiscordId, Place
from db.values.posts import Companion, Post, PostKind

log = structlog.get_logger()

TASK = "posts"
"""The name of the background task, under which failed posts are stored."""
PAGE = 200
"""Posts that one round reads."""
PAUSE = 15.0
"""Seconds between two rounds if nothing wakes the task."""
NONCE_HOLDS = timedelta(minutes=2)
"""Time for which Discord surely posts no second message with the same nonce."""
STALE = timedelta(seconds=5)
"""Time after which a pending post may have messages that another process sent without recording them."""
RETRY_AFTER = timedelta(seconds=15)
"""Time after which messages that could not be deleted are deleted again."""
SLOW = 5.0
"""Seconds for which a round waits for one post: Discord may make each edit of an old message wait this long."""
OLD, OLD_EDIT_SPAN = timedelta(hours=1), timedelta(seconds=2.1)
"""The age of old messages, and the time between two edits of them: Discord allows three in six seconds per channel."""


class Publisher(ABC):
    """Publishes the posts of one kind."""

    kind: ClassVar[PostKind]
    once: ClassVar[bool] = False
    """True if a missing message is better than a second one, where it is unknown if the first one was posted."""
    pictures: ClassVar[bool] = True
    """True if the messages have files."""
    purpose: ClassVar[str] = "games"
    """The purpose of the channel, as a server is told that a permission is missing."""
    movable: ClassVar[bool] = False
    """True if a server can choose another channel for a message that is not posted yet."""
    by_response: ClassVar[bool] = False
    """True if a message is sent as a response to the interaction if the bot may not post in its channel."""

    def __init__(self, outbox: "Outbox") -> None:
        self.outbox = outbox

    @abstractmethod
    async def publish(self, subject: int, key: str = "", *, anew: bool = False) -> None:
        """Make Discord show a post if it is pending; with `anew` at the end of its channel.

        Raises Refused if the bot may not post there, NotYet, and DISCORD_ERRORS.
        """


class DraftPublisher(Publisher):
    """Publishes posts whose content depends on nothing but the post."""

    @abstractmethod
    async def draft(self, post: Post) -> Draft | None:
        """Return the content of a post; None if no message is to be posted or changed. Raises NotYet."""

    async def posted(self, post: Post, draft: Draft) -> None:
        """Do what follows the first message of a post, such as notifying users. It may be done twice."""

    async def publish(self, subject: int, key: str = "", *, anew: bool = False) -> None:
        outbox = self.outbox
        async with outbox.lock(self.kind, subject, key):
            post = await outbox.store.posts.get(self.kind, subject, key)
            if post is None or not (post.pending or anew) or not outbox.shows(post):
                return
            post = await outbox.begin_anew(post) if anew else post
            draft = await self.draft(post)
            if draft is None:
                await outbox.store.posts.keep(replace(post, shown=post.version, tried_at=None))
                return
            if not outbox.posting.at(draft.place).open:
                return
            try:
                after = await outbox.put(self, post, replace(draft, anew=draft.anew or anew))
            except discord.NotFound as error:
                if error.code != UNKNOWN_CHANNEL:
                    raise
                await outbox.report(self, draft.place)
                gone = f"The channel <#{draft.place.channel}> no longer exists."
                if post.message is None and self.movable:
                    raise Refused(gone) from None
                await outbox.store.posts.keep(outbox.given_up(post))
                raise ChannelGone(gone) from None
            if post.message is None:
                await self.posted(after, draft)
            after = await outbox.delete_companions(after, draft.place)
            if draft.final and not after.pending:
                await outbox.store.posts.forget(post.id)
            else:
                await outbox.store.posts.keep(after)


class Outbox:
    """Makes Discord match the posts in the store. One task at a time changes the messages of a post."""

    def __init__(
        self, clients: Clients, services: Services, posting: Posting, alerts: PermissionAlerts
    ) -> None:
        self.store = services.store
        self.posting = posting
        self._clients = clients
        self._lost = LostMessages(clients)
        self._ownership = services.ownership
        self._clock = services.clock
        self._rounds = services.rounds
        self._alerts = alerts
        self._publishers: dict[PostKind, Publisher] = {}
        self._locks: Locks[tuple[PostKind, int, str]] = Locks()
        self._woken = asyncio.Event()
        self._old_edits = Pace(OLD_EDIT_SPAN)
        self._slow: dict[DiscordId, tuple[int, asyncio.Task[None]]] = {}
        """By channel: the id of a post for which no round waits any more, and the task that publishes it."""
        self._began_at = services.clock.now()
        self.unfinished: set[int] = set()
        """The ids of posts that this process began to publish without recording the outcome."""
        self._refused: dict[int, tuple[Place, bool, str]] = {}
        """By id of a post that Discord refused: its place, whether it has pictures, and the missing permissions."""
        self._skipped: set[int] = set()
        """Posts that cannot be published now, by id. They are left out until all other pending posts were read."""

    def add(self, publisher: Publisher) -> None:
        """Have the posts of a kind published."""
        self._publishers[publisher.kind] = publisher

    def wake(self) -> None:
        """Begin the next round at once."""
        self._woken.set()

    def lock(self, kind: PostKind, subject: int, key: str = "") -> asyncio.Lock:
        """Return the lock of a post."""
        return self._locks.of((kind, subject, key))

    def shows(self, post: Post) -> bool:
        """True if this process publishes a post. The owner of a server is notified of every change."""
        return self._ownership.shows(post.guild)

    async def publish(self, kind: PostKind, subject: int, key: str = "", *, anew: bool = False) -> None:
        """Make Discord show a post if it is pending; see Publisher.publish."""
        await self._publishers[kind].publish(subject, key, anew=anew)

    async def round(self) -> float:
        """Publish pending posts, and wait until there may be others. Return the seconds to wait besides: none."""
        self._woken.clear()
        try:
            if await self.publish_pending() < PAGE:
                with suppress(TimeoutError):
                    async with asyncio.timeout(PAUSE):
                        await self._woken.wait()
        except asyncio.CancelledError:
            for _, task in self._slow.values():
                task.cancel()
            raise
        return 0.0

    async def publish_pending(self) -> int:
        """Publish a page of pending posts. Return how many were read."""
        failing = [_post_id(item) for item in await self._rounds.waiting(TASK)]
        posts = await self.store.posts.pending(self._clock.now(), PAGE, [*failing, *self._skipped])
        await self._rounds.each(TASK, posts, self._publish_later, key=_item)
        if len(posts) < PAGE:
            self._skipped.clear()
        return len(posts)

    async def deliver(self, place: Place) -> None:
        """Publish the posts of a place where the bot can only answer, through the interaction being answered."""
        for post in await self.store.posts.pending_in(place.channel):
            try:
                await self.publish(post.kind, post.subject, post.key)
            except Exception as error:
                # One post keeps no other back. The text of the error may quote a hidden move.
                log.warning("post.not_published", post=post.id, kind=post.kind, error=type(error).__name__)

    async def permissions_changed(self, guild: DiscordId) -> None:
        """Publish the posts of a server that failed, except those that still lack the permissions they lacked then."""
        theirs = [item for item in await self._rounds.waiting(TASK) if item.endswith(f" in {guild}")]
        ready = [item for item in theirs if not self._still_refused(_post_id(item))]
        if ready:
            await self._rounds.retry(TASK, ready)
            self.wake()

    async def settings_changed(self, guild: DiscordId) -> None:
        """Publish the posts of a server that failed. Another channel may have been chosen for them."""
        for post in [post for post, (place, _, _) in self._refused.items() if place.guild == guild]:
            del self._refused[post]
        await self.permissions_changed(guild)

    async def thread_changed(self, guild: DiscordId, thread: DiscordId) -> None:
        """Publish the posts of a thread that Discord refused. The thread may have been unlocked."""
        if any(place.channel == thread for place, _, _ in self._refused.values()):
            await self.permissions_changed(guild)
            self.wake()

    async def put(self, publisher: Publisher, post: Post, draft: Draft) -> Post:
        """Make the message of a post match the draft. Return the post as it is to be stored.

        The message that was replaced is among its companions. Raises Refused if Discord refuses the message for good,
        and DISCORD_ERRORS.
        """
        self._check_refused(post, draft.place)
        view = marked(draft.view, MAIN + post.id)
        # After an attempt to post without a known outcome, the message is searched first.
        posting = post.message is None or draft.anew or post.tried_at is not None
        try:
            if posting or not await self._edit(post, draft, view):
                post = await self._post(publisher, post, draft, view)
        except discord.HTTPException as error:
            place, pictures = draft.place, publisher.pictures
            refusal = await self._alerts.refusal(error, place, pictures=pictures, purpose=publisher.purpose)
            self._note_refused(post, place, publisher)
            raise refusal from None
        self._refused.pop(post.id, None)
        return replace(post, shown=post.version, progress=draft.progress, tried_at=None)

    async def report(self, publisher: Publisher, place: Place) -> str:
        """Tell a server why a message was refused at a place, and return the reason in a few words."""
        return await self._alerts.report(place, pictures=publisher.pictures, purpose=publisher.purpose)

    async def delete_companions(
        self, post: Post, place: Place, keep: Callable[[Companion], bool] = lambda _: False
    ) -> Post:
        """Delete the companions of a post that are not to be kept. Return the post with those that remain.

        A message that cannot be deleted now remains, and the post is published again after RETRY_AFTER. A message that
        Discord does not let the bot delete is reduced to a line.
        """
        kept = [one for one in post.companions if keep(one)]
        left = [
            one for one in post.companions if one not in kept and not await self._delete(one, post, place)
        ]
        if not left or not self.posting.reaches(place):
            return replace(post, companions=(*kept, *left))
        await self.store.posts.postpone(post.id, self._clock.now() + RETRY_AFTER)
        return replace(post, companions=(*kept, *left), shown=None)

    async def begin_anew(self, post: Post) -> Post:
        """Return a post that is to be posted again, as pending: if the process ends meanwhile, the outbox goes on."""
        now = self._clock.now()
        return await self.store.posts.change(post.kind, post.subject, now, post.key) or post

    async def stray_companions(self, post: Post, place: Place) -> Post:
        """Return a post with the mentions beside it that were sent without being recorded, if there may be any."""
        interrupted = post.id in self.unfinished or post.due_at < self._began_at
        if not interrupted and self._clock.now() - post.due_at < STALE:
            return post
        if not self.posting.at(place).searchable:
            return post
        found = await self._lost.search(post, place)
        known = {one.message for one in post.companions}
        stray = (one for one in found.beside if one.message not in known)
        return replace(post, companions=(*post.companions, *stray))

    @staticmethod
    def given_up(post: Post) -> Post:
        """Return a post whose channel no longer exists: nothing can be shown."""
        return replace(post, shown=post.version, message=None, tried_at=None)

    async def _publish_later(self, post: Post) -> None:
        """Publish a post in a round. Raises what Rounds.each expects.

        After SLOW seconds the round goes on without this post, and leaves out other posts of its channel meanwhile.
        """
        lock, slow = self.lock(post.kind, post.subject, post.key), self._slow.get(post.channel)
        waits = slow is not None and not slow[1].done()
        if waits or lock.locked() or not self._is_available(Place(post.guild, post.channel)):
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
        """True if a server is known completely: not so right after the start and during an outage of the server.

        Until then the bot seems to lack the permissions for searching a channel.
        """
        guild = None if place.guild is None else self._clients.get_guild(place.guild)
        return guild is not None and not guild.unavailable and self.posting.reaches(place)

    def _note_slow_end(self, task: asyncio.Task[None]) -> None:
        """Begin the next round, which reads the outcome of the post."""
        if not task.cancelled():
            task.exception()  # Without this, asyncio logs an error if no round reads it.
            self.wake()

    async def _publish_pending(self, post: Post) -> None:
        try:
            if (wait := self._wait_for_old_edit(post)) > timedelta():
                raise NotYet(wait)
            async with asyncio.timeout(ITEM_S):
                await self.publish(post.kind, post.subject, post.key)
        except NotYet as later:
            await self.store.posts.postpone(post.id, self._clock.now() + later.pause)
            if later.pause.total_seconds() < PAUSE:
                asyncio.get_running_loop().call_later(later.pause.total_seconds(), self.wake)
        except ChannelGone:
            log.info("post.channel_gone", post=post.id, kind=post.kind)
        except DISCORD_ERRORS as error:
            if is_temporary(error):
                raise TryLater(type(error).__name__) from error
            raise

    def _wait_for_old_edit(self, post: Post) -> timedelta:
        """Return the time until an old message may be edited. Discord limits such edits for each channel."""
        now = self._clock.now()
        if post.message is None or now - discord.utils.snowflake_time(post.message) < OLD:
            return timedelta()
        return self._old_edits.wait(post.id, now, post.channel)

    def _check_refused(self, post: Post, place: Place) -> None:
        """Raise Refused without a request if Discord refused a post and the same permissions are still missing."""
        if self._still_refused(post.id):
            raise Refused(f"I may not post in <#{place.channel}>: I lack {self._refused[post.id][2]}.")

    def _still_refused(self, post: int) -> bool:
        """True if the bot lacks the same permissions as when Discord refused a post."""
        if post not in self._refused:
            return False
        place, pictures, lacked = self._refused[post]
        return lacked != "" and self._alerts.missing_at(place, pictures=pictures) == lacked

    def _note_refused(self, post: Post, place: Place, publisher: Publisher) -> None:
        lacked = self._alerts.missing_at(place, pictures=publisher.pictures)
        self._refused[post.id] = place, publisher.pictures, lacked

    async def _edit(self, post: Post, draft: Draft, view: ui.LayoutView) -> bool:
        """Edit the message of a post. Return False if it is gone, or if its thread stays archived or is locked."""
        assert post.message is not None
        there = replace(draft.place, channel=post.channel)
        try:
            target = self.posting.at(there)
            await target.edit(post.message, view, await draft.files(), unarchive=not draft.reopens)
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE) and not is_closed(error):
                raise
            return False
        return True

    async def _post(self, publisher: Publisher, post: Post, draft: Draft, view: ui.LayoutView) -> Post:
        """Post a message. Return the post with the message, and the message before among the companions."""
        target = self.posting.at(draft.place)
        used = self.posting.used_message(MAIN + post.id) if post.message is None else None
        if used is not None and used not in {one.message for one in post.companions}:
            # The message was posted through an interaction and not recorded.
            return replace(post, message=used)
        doubtful = post.tried_at is not None and target.searchable
        if doubtful:
            found = await self._lost.search(post, draft.place)
            if found.main:
                log.info("post.found", post=post.id, kind=post.kind)
                post = _adopted(post, found)
                if await self._edit(post, draft, view):
                    return post
            elif (
                post.message is not None
                and not draft.anew
                and (found.complete or not self._nonce_holds(post))
            ):
                if await self._edit(post, draft, view):
                    return post
            elif publisher.once and not found.complete and not self._nonce_holds(post):
                log.warning("post.possibly_lost", post=post.id, kind=post.kind)
                return post
        if draft.edit_only:
            return post
        if target.searchable and not (doubtful and self._nonce_holds(post)):
            post = await self._try(post)
        try:
            message = await self._send(target, post, draft, view)
        except discord.HTTPException as error:
            response = self.posting.answering(draft.place)
            refused = isinstance(error, discord.Forbidden) or is_closed(error)
            if not (refused and publisher.by_response and response.open):
                raise
            message = await self._send(response, post, draft, view)
        before = () if post.message is None else (Companion(post.channel, post.message),)
        post = replace(
            post,
            channel=draft.place.channel,
            message=message,
            pinned=False,
            companions=(*post.companions, *before),
        )
        if doubtful:
            # Discord may have returned the message of the first attempt, with the content of that time.
            await self._edit(post, draft, view)
        return post

    async def _send(self, target: PostTarget, post: Post, draft: Draft, view: ui.LayoutView) -> DiscordId:
        try:
            return await target.send(
                view=view,
                files=await draft.files(),
                notify=draft.notify,
                call=draft.call,
                once=f"{post.id} {post.message} {post.tried_at}",
            )
        except DISCORD_ERRORS as error:
            not_sent = isinstance(error, aiohttp.ClientConnectorError) or not is_temporary(error)
            if not_sent and target.searchable:
                await self.store.posts.note_attempt(post.id, None)
            raise

    async def _try(self, post: Post) -> Post:
        """Store that a message is about to be posted."""
        now = self._clock.now()
        await self.store.posts.note_attempt(post.id, now)
        return replace(post, tried_at=now)

    def _nonce_holds(self, post: Post) -> bool:
        assert post.tried_at is not None
        return timedelta() <= self._clock.now() - post.tried_at < NONCE_HOLDS

    async def _delete(self, one: Companion, post: Post, place: Place) -> bool:
        """Delete a companion. Return False if that may succeed later."""
        there = replace(place, channel=one.channel)
        direct = one.seat is not None and one.channel not in (place.channel, post.channel, place.parent)
        target = self.posting.direct(one.channel) if direct else self.posting.at(there)
        try:
            try:
                await target.delete(one.message)
            except discord.Forbidden:
                if one.seat is None and post.message is not None:
                    link = message_link(replace(place, channel=post.channel), post.message)
                    await target.edit(
                        one.message, plain_message(f"-# [The message]({link}) stands below."), ()
                    )
        except DISCORD_ERRORS as error:
            log.info("companion.not_deleted", message=one.message, error=type(error).__name__)
            return not is_temporary(error)
        return True


def _item(post: Post) -> str:
    """Return the name of a post among the items of its task: `17 in 661720242585608192`."""
    return f"{post.id} in {post.guild}"


def _post_id(item: str) -> int:
    return int(item.partition(" ")[0])


def _adopted(post: Post, found: Found) -> Post:
    """Return a post whose newest message is one that was found; all others are its companions."""
    *others, newest = found.main
    known = () if post.message is None else (Companion(post.channel, post.message),)
    return replace(
        post,
        channel=newest.channel,
        message=newest.message,
        pinned=False,
        companions=(*post.companions, *known, *others, *found.beside),
    )
