"""The outbox: makes the messages in Discord match the posts in the store.

Every kind of post has a publisher, which returns the content that the post is to have. The outbox posts, edits,
replaces and deletes messages. An interaction publishes what it changed itself; a background task publishes everything
that is left: after a failure, after a restart, or when another process was stopped.

A post is pending until the store has recorded what Discord shows. If a process ends between the two, the message is
found again by its mark, the id of its first component. docs/messages.md lists the guarantees of each kind.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import ClassVar, NamedTuple

import aiohttp
import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.app.services import Services
from bot.app.tasks.background import Locks
from bot.ui.components.message_parts import message as plain_message
from bot.ui.components.message_parts import walk
from bot.ui.components.wording import message_link
from bot.ui.posts.clients import Clients
from bot.ui.posts.permissions import PermissionAlerts, missing_permissions, permission_channel
from bot.ui.posts.posting import BESIDE, MAIN, Posting, PostTarget
from bot.ui.posts.requests import (
    DISCORD_ERRORS,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    is_closed,
    is_temporary,
)
from db.values.places import DiscordId, Place
from db.values.posts import Companion, Post, PostKind

SKEW = timedelta(minutes=1)
"""Largest difference between Discord's clock and the clock of this machine."""
SEARCHED = 100
"""Messages of a channel that are searched: this many after a time, and this many of the newest."""
READING = ("view_channel", "read_message_history")
"""Permissions for reading the history of a channel."""


class Found(NamedTuple):
    """Messages of a post that a search found, the oldest first. `complete` is False if others may exist."""

    complete: bool
    main: Sequence[Companion] = ()
    beside: Sequence[Companion] = ()
    mentioned: Collection[DiscordId] = ()
    """The users whom the newest of `main` mentions."""


class LostMessages:
    """Searches the history of channels."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients

    async def search(self, post: Post, place: Place) -> Found:
        """Search a channel for messages of a post that are not recorded. Raises DISCORD_ERRORS."""
        guild = self._clients.get_guild(place.guild)
        if guild is None or missing_permissions(guild, permission_channel(guild, place)[0], READING):
            return Found(complete=False)
        since = min(filter(None, (post.tried_at, post.due_at))) - SKEW
        known = {post.message, *(one.message for one in post.companions)}
        found: dict[int, list[Companion]] = {MAIN + post.id: [], BESIDE + post.id: []}
        count, mentioned = 0, list[DiscordId]()
        async for message in self._messages(place, discord.utils.time_snowflake(since)):
            count += 1
            if message.author == self._clients.user and message.id not in known:
                known.add(message.id)
                for part in walk(message.components):
                    if part.id in found:
                        seat = None if part.id == MAIN + post.id else 0
                        found[part.id].append(Companion(place.channel, message.id, seat))
                        if seat is None:
                            mentioned = [user.id for user in message.mentions]
        return Found(count < 2 * SEARCHED, found[MAIN + post.id], found[BESIDE + post.id], mentioned)

    async def _messages(self, place: Place, after: DiscordId) -> AsyncIterator[discord.Message]:
        """Yield messages of a channel with a higher id than `after`: the first, and the newest; some come twice."""
        channel, since = self._clients.channel(place.guild, place.channel), discord.Object(after)
        first = [message async for message in channel.history(limit=SEARCHED, after=since)]
        newest = channel.history(limit=SEARCHED, after=since, oldest_first=False)
        rest = [message async for message in newest] if len(first) == SEARCHED else []
        for message in (*first, *rest):
            yield message


class ChannelGone(Refused):
    """The channel of a post no longer exists. The post is not published again before it changes."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The content that a post is to have, and the place where it belongs."""

    place: Place
    view: ui.LayoutView
    files: Callable[[], Awaitable[Sequence[discord.File]]]
    """Draws the files. It is called again for each request, since a file is sent once."""
    progress: int = 0
    """The progress of the post once it is shown."""
    notify: Sequence[DiscordId] = ()
    """Users whom the message mentions if it is posted, not if it is edited."""
    direct: Sequence[DiscordId] = ()
    """Users to whom `DraftPublisher.posted` writes once the message is shown."""
    call: str = ""
    """The mention of a role, or ""; as `notify`."""
    anew: bool = False
    """True if the message is posted again at the end of its channel, and the message before is deleted."""
    reopens: bool = False
    """True if a message in an archived thread is posted again, which unarchives the thread, instead of being edited."""
    edit_only: bool = False
    """True if a message that may exist is changed, but none is posted."""
    removed: bool = False
    """True if the message is over and is deleted."""
    final: bool = False
    """True if the post never changes again, so that the outbox forgets it."""


log = structlog.get_logger()

TASK = "posts"
"""The name of the background task, under which failed posts are stored."""
NONCE_HOLDS = timedelta(minutes=2)
"""Time for which Discord surely posts no second message with the same nonce."""
STALE = timedelta(seconds=5)
"""Time after which a pending post may have messages that another process sent without recording them."""
RETRY_AFTER = timedelta(seconds=15)
"""Time after which messages that could not be deleted are deleted again."""


def rewound(*files: discord.File) -> Callable[[], Awaitable[Sequence[discord.File]]]:
    """Return a function that returns these files, rewound so that they can be sent again."""

    async def rewind() -> Sequence[discord.File]:
        for file in files:
            file.reset()
        return files

    return rewind


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
        """Do what follows the first message of a post, or one with more progress, such as notifying users.

        It also follows a message that its draft posts anew, and may be done twice.
        """

    async def publish(self, subject: int, key: str = "", *, anew: bool = False) -> None:
        outbox = self.outbox
        async with outbox.lock(self.kind, subject, key):
            post = await outbox.store.posts.get(self.kind, subject, key)
            if post is None or not (post.pending or anew) or not outbox.shows(post):
                return
            post = await outbox.begin_anew(post) if anew else post
            draft = await self.draft(post)
            if draft is None:
                post = replace(post, shown=post.version, tried_at=None)
                await outbox.store.posts.keep(
                    await outbox.delete_companions(post, Place(post.guild, post.channel))
                )
                return
            if not outbox.posting.at(draft.place).open:
                return
            try:
                after = post
                if not (draft.removed and post.message is not None and post.tried_at is None):
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
            if post.message is None or draft.anew or post.progress < draft.progress:
                await self.posted(after, draft)
            if draft.removed and after.message is not None:
                over = Companion(after.channel, after.message)
                after = replace(
                    after, shown=after.version, message=None, companions=(*after.companions, over)
                )
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
        self.woken = asyncio.Event()
        """Set when there may be posts to publish."""
        self._began_at = services.clock.now()
        self.unfinished: set[int] = set()
        """The ids of posts that this process began to publish without recording the outcome."""
        self.unmentioned: set[int] = set()
        """The ids of posts whose message was found, and does not mention all users whom a new one would."""
        self._refused: dict[int, tuple[Place, bool, str]] = {}
        """By id of a post that Discord refused: its place, whether it has pictures, and the missing permissions."""

    def add(self, publisher: Publisher) -> None:
        """Add the publisher of a kind of post."""
        self._publishers[publisher.kind] = publisher

    def wake(self) -> None:
        """Begin the next round at once."""
        self.woken.set()

    def lock(self, kind: PostKind, subject: int, key: str = "") -> asyncio.Lock:
        return self._locks.of((kind, subject, key))

    async def finish(self) -> None:
        """Wait for the posts that are being published now."""
        await self._locks.released()

    def shows(self, post: Post) -> bool:
        """Return True if this process publishes a post. The process that owns a server is notified of every change."""
        return self._ownership.shows(post.guild)

    async def publish(self, kind: PostKind, subject: int, key: str = "", *, anew: bool = False) -> None:
        """Make Discord show a post if it is pending; see Publisher.publish."""
        await self._publishers[kind].publish(subject, key, anew=anew)

    async def deliver(self, place: Place) -> None:
        """Publish the posts of a place where the bot can only answer, through the interaction being answered."""
        for post in await self.store.posts.pending_in(place.channel):
            try:
                await self.publish(post.kind, post.subject, post.key)
            except Exception as error:
                # A failed post does not stop the others. The text of the error may quote a hidden move.
                log.warning("post.not_published", post=post.id, kind=post.kind, error=type(error).__name__)

    async def permissions_changed(self, guild: DiscordId) -> None:
        """Retry the failed posts of a server, except posts for which the same permissions are still missing."""
        theirs = [item for item in await self._rounds.waiting(TASK) if item.endswith(f" in {guild}")]
        ready = [item for item in theirs if not self._still_refused(post_of(item))]
        if ready:
            await self._rounds.retry(TASK, ready)
            self.wake()

    async def settings_changed(self, guild: DiscordId) -> None:
        """Publish what a setting has changed, and retry the server's failed posts: it may have another channel now."""
        for post in [post for post, (place, _, _) in self._refused.items() if place.guild == guild]:
            del self._refused[post]
        await self.permissions_changed(guild)
        self.wake()

    async def thread_changed(self, guild: DiscordId, thread: DiscordId) -> None:
        """Retry the posts of a thread that Discord refused. The thread may have been unlocked."""
        if any(place.channel == thread for place, _, _ in self._refused.values()):
            await self.permissions_changed(guild)
            self.wake()

    async def put(self, publisher: Publisher, post: Post, draft: Draft) -> Post:
        """Make the message of a post match the draft. Return the post as it is to be stored.

        The message that was replaced is among its companions. If the message is gone and only an interaction can post
        another one, the post stays pending. Raises Refused if Discord refuses the message for good,
        and DISCORD_ERRORS.
        """
        self._check_refused(post, draft.place)
        view = draft.view
        view.children[0].id = MAIN + post.id
        # After an attempt to post without a known outcome, the message is searched first.
        posting = post.message is None or draft.anew or post.tried_at is not None
        try:
            if posting or not await self._edit(post, draft, view):
                if not self.posting.at(draft.place).open:
                    return replace(post, message=None)
                post = await self._post(publisher, post, draft, view)
        except discord.HTTPException as error:
            place, pictures = draft.place, publisher.pictures
            refusal = await self._alerts.refusal(error, place, pictures=pictures, purpose=publisher.purpose)
            self._note_refused(post, place, publisher)
            raise refusal from None
        self._refused.pop(post.id, None)
        return replace(post, shown=post.version, progress=draft.progress, tried_at=None)

    async def report(self, publisher: Publisher, place: Place) -> str:
        """Report to a server why a message was refused at a place, and return the reason in a few words."""
        return await self._alerts.report(place, pictures=publisher.pictures, purpose=publisher.purpose)

    async def delete_companions(
        self, post: Post, place: Place, keep: Callable[[Companion], bool] = lambda _: False
    ) -> Post:
        """Delete the companions of a post that are not to be kept. Return the post with those that remain.

        A message that is also one to be kept, because it mentions several players, is not deleted.

        A message that cannot be deleted now remains, and the post is published again after RETRY_AFTER. A message that
        Discord does not let the bot delete is reduced to a line.
        """
        kept = [one for one in post.companions if keep(one)]
        needed = {one.message for one in kept}
        over = {one.message: one for one in post.companions if one.message not in needed}
        left = [one for one in over.values() if not await self._delete(one, post, place)]
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

    def _check_refused(self, post: Post, place: Place) -> None:
        """Raise Refused without a request if Discord refused a post and the same permissions are still missing."""
        if self._still_refused(post.id):
            raise Refused(f"I may not post in <#{place.channel}>: I lack {self._refused[post.id][2]}.")

    def _still_refused(self, post: int) -> bool:
        """Return True if the bot lacks the same permissions as when Discord refused a post."""
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
        used = None
        if post.message is None:
            used = self.posting.used_message(MAIN + post.id, draft.place)
        if used is not None and used not in {one.message for one in post.companions}:
            # The message was posted through an interaction and not recorded.
            post = replace(post, message=used)
            await self._edit(post, draft, view)
            return post
        doubtful = post.tried_at is not None and target.searchable
        if doubtful:
            found = await self._lost.search(post, draft.place)
            if found.main:
                log.info("post.found", post=post.id, kind=post.kind)
                post = _adopted(post, found)
                if await self._edit(post, draft, view):
                    if not set(draft.notify) <= set(found.mentioned):
                        self.unmentioned.add(post.id)
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
        """Store the time of the attempt to post a message."""
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
                        one.message, plain_message(f"-# [The newer message]({link}) is below."), ()
                    )
        except DISCORD_ERRORS as error:
            log.info("companion.not_deleted", message=one.message, error=type(error).__name__)
            return not is_temporary(error)
        return True


def item_of(post: Post) -> str:
    """Return the name of a post among the items of its task: `17 in 661720242585608192`."""
    return f"{post.id} in {post.guild}"


def post_of(item: str) -> int:
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
