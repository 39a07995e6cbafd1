"""The service that posts, edits and deletes messages, with their mentions and threads."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bot.sandbox import errors
from bot.sandbox.drafts import SETTABLE, Draft, DraftReader
from bot.sandbox.json_types import Object
from bot.sandbox.world import events, objects, threads
from bot.sandbox.world.clock import iso
from bot.sandbox.world.people import everyone_in, having, may_mention
from bot.sandbox.world.permissions import bit
from bot.sandbox.world.records import (
    DEFAULT,
    HAS_THREAD,
    LOADING,
    PINNED,
    REPLY,
    SUPPRESS_NOTIFICATIONS,
    THREAD_CREATED,
    Message,
)
from bot.sandbox.world.world import World

USER, ROLE = re.compile(r"<@!?(\d+)>"), re.compile(r"<@&(\d+)>")
EVERYONE = re.compile(r"@(?:everyone|here)\b")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The ids of the users and roles that a message mentions. `everyone` is True if it mentions everyone."""

    users: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    everyone: bool = False


def find_mentions(
    texts: Iterable[str], allowed: Object | None, *, may_everyone: bool, replied_to: str | None = None
) -> Mentions:
    """Return the mentions in `texts` that a request's `allowed` mentions permit. None permits all mentions."""
    text = "\n".join(texts)
    users = [one for one in USER.findall(text) if _permits(allowed, "users", one)]
    if replied_to and (allowed is None or allowed.get("replied_user")):
        users.append(replied_to)
    everyone = may_everyone and (allowed is None or "everyone" in allowed.get("parse", []))
    return Mentions(
        tuple(dict.fromkeys(users)),
        tuple(dict.fromkeys(one for one in ROLE.findall(text) if _permits(allowed, "roles", one))),
        everyone and EVERYONE.search(text) is not None,
    )


def _permits(allowed: Object | None, kind: str, id_: str) -> bool:
    return allowed is None or kind in allowed.get("parse", []) or id_ in allowed.get(kind, [])


NONCE_HOLDS = 5 * 60.0
"""Seconds for which an enforced nonce cannot be used again; Discord says "the past few minutes"."""


class Messages:
    """Posts, edits and deletes messages. Each change is stored and published as an event."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._deleted_nonces: dict[tuple[str, str, object], str] = {}
        """The posting times of deleted messages, by channel, author and nonce."""

    def draft_reader(self, channel_id: str, *, private: bool = False) -> DraftReader:
        """Return the reader of drafts for a channel. `private` allows ephemeral messages."""
        address = self._world.address
        return DraftReader(
            self._world.new_id, lambda id_, name: f"{address}/attachments/{channel_id}/{id_}/{name}", private
        )

    def send(
        self, channel: Object, author: Object, draft: Draft, *,
        kind: int = DEFAULT, flags: int = 0, ephemeral_for: str | None = None, interaction: str | None = None,
        extra: Object | None = None,
    ) -> Message:  # fmt: skip
        """Post a message. `kind` is its type, `flags` are added to the draft's, `extra` are further fields."""
        world = self._world
        if ephemeral_for is None:
            threads.open_for_message(world, author["id"], channel)
        body: Object = {
            "id": world.new_id(),
            "channel_id": channel["id"],
            "author": author,
            "type": kind,
            "timestamp": world.now(),
            "edited_timestamp": None,
            "flags": draft.flags | flags,
            "pinned": False,
            "tts": False,
            **(extra or {}),
        }
        if draft.reference is not None:
            body |= self._reply(channel, draft.reference)
        message = Message(body, ephemeral_for=ephemeral_for, interaction=interaction)
        pinged = self._fill(message, draft, channel)
        world.put_message(message)
        world.publish(events.MessageSent(message, pinged))
        return message

    def repeated(self, channel: Object, author: Object, nonce: object) -> Message | None:
        """Return the message that the author posted in a channel with this nonce in the past few minutes, or None.

        Raises DiscordError 10008 if that message was deleted meanwhile, as Discord does on purpose.
        """
        since = iso(self._world.clock.time() - NONCE_HOLDS)
        if self._deleted_nonces.get((channel["id"], author["id"], nonce), "") > since:
            raise errors.unknown_message()
        for message in reversed(self._world.messages[channel["id"]].values()):
            if message.body["timestamp"] < since:
                return None
            if message.author_id == author["id"] and message.body.get("nonce") == nonce:
                return message
        return None

    def edit(self, message: Message, draft: Draft, *, fresh: bool = False) -> Message:
        """Replace the contents of a message.

        `fresh` is True if a followup fills in a deferred response, which pings like a new message.
        """
        pinged = self._fill(message, draft, self._world.channel(message.channel_id))
        if message.loading:
            message.body["flags"] &= ~LOADING
        else:
            message.body["edited_timestamp"] = self._world.now()
        self._world.put_message(message)
        self._world.publish(events.MessageEdited(message, pinged if fresh else ()))
        return message

    def remove(self, message: Message) -> None:
        if "nonce" in message.body:
            used = message.channel_id, message.author_id, message.body["nonce"]
            self._deleted_nonces[used] = message.body["timestamp"]
        self._world.remove_message(message)
        self._world.publish(events.MessageGone(message))

    def note_thread(self, parent: Object, thread: Object, author: Object) -> None:
        """Post the message in the parent channel that announces a thread."""
        draft = Draft(thread["name"], allowed_mentions={"parse": []})
        reference = {
            "message_reference": {"type": 0, "channel_id": thread["id"], "guild_id": thread["guild_id"]}
        }
        self.send(parent, author, draft, kind=THREAD_CREATED, extra=reference)

    def pin(self, message: Message, who: Object) -> None:
        """Pin a message, and post the message in its channel that announces the pin by `who`."""
        channel = self._world.channel(message.channel_id)
        self._set_pinned(message, channel, self._world.now())
        self.send(
            channel, who, Draft(), kind=PINNED, extra={"message_reference": reference_to(message.id, channel)}
        )

    def unpin(self, message: Message) -> None:
        self._set_pinned(message, self._world.channel(message.channel_id), "")

    def _set_pinned(self, message: Message, channel: Object, at: str) -> None:
        message.body["pinned"] = bool(at)
        message.pinned_at = at
        self._world.put_message(message)
        self._world.publish(events.MessageEdited(message))
        self._world.publish(events.ChannelPinned(channel, at or None))

    def _reply(self, channel: Object, reference: Object) -> Object:
        """Return the fields of a reply. Raises DiscordError 50035 if the message is not in this channel."""
        there = self._world.messages[channel["id"]].get(reference["message_id"])
        if there is None:
            if reference.get("fail_if_not_exists", True):
                fault = {"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}
                raise errors.DiscordError(
                    400, 50035, "Invalid Form Body", {"message_reference": {"_errors": [fault]}}
                )
            return {}
        return {"type": REPLY, "message_reference": reference_to(there.id, channel)}

    def _fill(self, message: Message, draft: Draft, channel: Object) -> tuple[str, ...]:
        """Fill the message with the draft. Return the ids of the members whom a new message would ping."""
        world = self._world
        for file in message.files:
            if file["id"] not in {kept["id"] for kept in draft.files}:
                world.store.delete_file(file["id"])
        for id_, upload in draft.uploads.items():
            world.store.save_file(id_, upload.data)
        message.files = draft.files
        ephemeral = {"ephemeral": True} if message.ephemeral_for else {}
        message.body |= {
            "content": draft.content,
            "embeds": draft.embeds,
            "components": draft.components,
            "attachments": [file | ephemeral for file in draft.shown],
            "flags": message.flags & ~SETTABLE | draft.flags,
        }
        return self._mention(message, draft, channel)

    def _mention(self, message: Message, draft: Draft, channel: Object) -> tuple[str, ...]:
        world = self._world
        author = message.author_id
        held = world.permissions(author, channel)
        found = find_mentions(
            message.texts(),
            draft.allowed_mentions,
            may_everyone=bool(held & bit("mention_everyone")),
            replied_to=self._replied_author(message),
        )
        users = [world.users[id_] for id_ in found.users if id_ in world.users]
        message.body["mentions"] = users
        roles = [one for one in found.roles if may_mention(world, channel, one, held)]
        message.body["mention_roles"] = roles
        message.body["mention_everyone"] = found.everyone
        if message.ephemeral_for is None:
            # A response to an interaction does not make the bot a member of the thread.
            by_itself = [] if message.interaction else [author]
            self._join(channel, [*by_itself, *(user["id"] for user in users)])
        if message.flags & SUPPRESS_NOTIFICATIONS:
            return ()
        everyone = everyone_in(world, channel) if found.everyone else []
        called = everyone or [*users, *having(world, channel, roles, but=users)]
        return tuple(
            user["id"]
            for user in called
            if user["id"] != author
            and not user.get("bot")
            and message.ephemeral_for in (None, user["id"])
            and world.sees(user["id"], channel)
        )

    def _replied_author(self, message: Message) -> str | None:
        reference: dict[str, Any] = message.body.get("message_reference", {})
        there = self._world.messages.get(reference.get("channel_id", ""), {}).get(
            reference.get("message_id", "")
        )
        return (
            None if there is None or message.body["type"] != REPLY or message.interaction else there.author_id
        )

    def _join(self, channel: Object, user_ids: list[str]) -> None:
        """Add the author and the mentioned users to the members of a thread."""
        if channel["type"] not in objects.THREADS:
            return
        there = self._world.thread_members[channel["id"]]
        known = {one["user_id"] for one in there}
        new = [
            id_
            for id_ in dict.fromkeys(user_ids)
            if id_ not in known and self._world.is_in(id_, channel["guild_id"])
        ]
        if new:
            joined = [objects.thread_member(channel["id"], id_, self._world.now()) for id_ in new]
            self._world.put_thread_members(channel["id"], [*there, *joined])
            for one in joined:
                self._world.publish(events.ThreadJoined(channel, one))
            self._world.publish(events.ChannelChanged(channel))


def reference_to(message_id: str, channel: Object) -> Object:
    return {"type": 0, "message_id": message_id, "channel_id": channel["id"], **objects.server_of(channel)}


def start_thread(
    world: World, messages: Messages, parent: Object, owner: Object, name: str, *,
    kind: int = objects.PUBLIC_THREAD, archive_minutes: int = 4320, message_id: str | None = None,
    id_: str | None = None,
) -> Object:  # fmt: skip
    """Create a thread in `parent`.

    A thread that starts from a message has the id of that message. Any other public thread is announced by a message in
    the parent channel.
    """
    made = world.now()
    id_ = id_ or message_id or world.new_id()
    thread = objects.thread(id_, parent, name, owner["id"], kind, made, archive_minutes)
    world.put_channel(thread)
    world.put_thread_members(id_, [objects.thread_member(id_, owner["id"], made)])
    world.publish(events.ChannelMade(thread))
    if message_id is not None:
        message = world.message(parent["id"], message_id)
        message.body["flags"] |= HAS_THREAD
        world.put_message(message)
        world.publish(events.MessageEdited(message))
    elif kind != objects.PRIVATE_THREAD and parent["type"] != objects.FORUM:
        messages.note_thread(parent, thread, owner)
    return thread


def start_post(
    world: World, messages: Messages, forum: Object, owner: Object, name: str, id_: str, draft: Draft
) -> tuple[Object, Message]:
    """Create a post in a forum: a public thread whose first message, `draft`, has the id of the thread."""
    thread = start_thread(world, messages, forum, owner, name, id_=id_)
    return thread, messages.send(thread, owner, draft, extra={"id": id_})
