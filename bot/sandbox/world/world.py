"""The state of the local Discord: its servers, members, channels, messages, commands and interactions."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bot.sandbox import errors
from bot.sandbox.json_types import Object
from bot.sandbox.world import objects, permissions
from bot.sandbox.world.clock import Clock, Snowflakes, iso
from bot.sandbox.world.events import Event
from bot.sandbox.world.records import HAS_THREAD, TOKEN_LIVES, Interaction, Message
from bot.sandbox.world.store import Store

UPLOAD_LIVES = 24 * 60 * 60.0
"""Seconds for which a file for an option of a command is stored."""


class World:
    """The state in memory and in the store.

    The methods publish no events; the caller calls `publish` after a complete change. `address` is the http address of
    the local Discord, without a slash at its end.
    """

    def __init__(self, store: Store, clock: Clock, address: str) -> None:
        self.store = store
        self.clock = clock
        self.address = address
        self.new_id = Snowflakes(clock, store.last_id())
        self.guilds: dict[str, Object] = dict(store.all("guild"))
        """All servers by id. Every world has the first one."""
        self._gone: dict[str, list[str]] = store.get("meta", "members_left") or {}
        """The ids of the members who have left each server, and may return."""
        self._people: dict[str, frozenset[str]] = {
            id_: frozenset(people).difference(self._gone.get(id_, ()))
            for id_, people in store.all("guild_members")
        }
        """The ids of the members of each server, without the bot."""
        self.given_roles: dict[tuple[str, str], list[str]] = {}
        """The roles that the bot has given, by server and member."""
        self._home: dict[str, str] = {}
        """The first server of each member, even if the member has left it."""
        for id_, people in store.all("guild_members"):
            for user_id in people:
                self._home.setdefault(user_id, id_)
        self.application: Object = store.get("meta", "application")
        self.created_at: str = store.get("meta", "founded")
        self.bot_seen: bool = bool(store.get("meta", "bot_seen"))
        self.users: dict[str, Object] = dict(store.all("user"))
        self.channels: dict[str, Object] = dict(store.all("channel"))
        self._channels_of: dict[str, dict[str, Object]] = {id_: {} for id_ in self.guilds}
        for id_, channel in self.channels.items():
            self._channels_of.get(channel.get("guild_id", ""), {})[id_] = channel
        self.thread_members: dict[str, list[Object]] = dict(store.all("thread_members"))
        self.commands: dict[str, Object] = dict(store.all("command"))
        self.messages: dict[str, dict[str, Message]] = {id_: {} for id_ in self.channels}
        for id_, body in store.all("message"):
            message = Message(**body)
            self.messages[message.channel_id][id_] = message
        self.interactions = {id_: Interaction(**body) for id_, body in store.all("interaction")}
        self.uploads: dict[str, Object] = dict(store.all("upload"))
        """The uploaded files for options, by id: the `member`, the time `given`, and the `attachment`."""
        self.closed: set[str] = set()
        """The ids of members who refuse direct messages."""
        self.installed: set[str] = set(store.get("meta", "installed") or ())
        """The ids of members who have installed the application."""
        self._left: set[str] = set(store.get("meta", "bot_left") or ())
        """The ids of the servers without the bot."""
        self._listeners: list[Callable[[Event], None]] = []

    def now(self) -> str:
        return iso(self.clock.time())

    # --- events

    def listen(self, listener: Callable[[Event], None]) -> None:
        self._listeners.append(listener)

    def publish(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)

    # --- reading

    @property
    def bot(self) -> Object:
        found: Object = self.application["bot"]
        return found

    @property
    def guild(self) -> Object:
        """The first server, which every world has."""
        return next(iter(self.guilds.values()))

    @property
    def members(self) -> list[Object]:
        """The members of the first server, without the bot, in the order of their ids."""
        return self.members_of(self.guild["id"])

    def members_of(self, guild_id: str) -> list[Object]:
        """Return the members of a server without the bot, in the order of their ids."""
        return [self.users[id_] for id_ in sorted(self._people[guild_id], key=int)]

    def home(self, user_id: str) -> Object:
        """Return the first server of a member, even if the member has left it."""
        return self.guilds[self._home[user_id]]

    def is_person(self, user_id: Any) -> bool:
        """Return whether this is the id of a member, even of one who has left, and not of the bot."""
        return user_id in self._home

    def is_in(self, user_id: str, guild_id: str) -> bool:
        """Return whether a user or the bot is a member of a server."""
        if user_id == self.bot["id"]:
            return self.bot_is_in(guild_id)
        return user_id in self._people[guild_id]

    def bot_is_in(self, guild_id: str) -> bool:
        """Return whether the bot is a member of the server."""
        return guild_id in self.guilds and guild_id not in self._left

    def channels_of(self, guild_id: str) -> list[Object]:
        """Return the channels of a server, threads included."""
        return list(self._channels_of[guild_id].values())

    def guild_of(self, channel: Object) -> Object:
        """Return the server of a channel. Raises KeyError for direct messages."""
        return self.guilds[channel["guild_id"]]

    def channel(self, id_: str) -> Object:
        if id_ not in self.channels:
            raise errors.unknown_channel()
        return self.channels[id_]

    def message(self, channel_id: str, id_: str) -> Message:
        found = self.messages.get(channel_id, {}).get(id_)
        if found is None:
            raise errors.unknown_message()
        return found

    def find_message(self, id_: str) -> Message | None:
        return next((found[id_] for found in self.messages.values() if id_ in found), None)

    def member(self, guild_id: str, user_id: str) -> Object:
        """Return a server's member object of this user. Raises DiscordError 10007."""
        user = self.users.get(user_id)
        if user is None or not (user.get("bot") or self.is_in(user_id, guild_id)):
            raise errors.unknown_member()
        own, players = self.guilds[guild_id]["roles"][1:3]
        roles = [
            own["id"] if user.get("bot") else players["id"],
            *self.given_roles.get((guild_id, user_id), ()),
        ]
        return objects.member(user, roles, self.created_at)

    def permissions(self, user_id: str, channel: Object) -> int:
        """Return the permissions of a user in a channel, or in the parent channel of a thread."""
        if user_id == self.bot["id"] and objects.context(channel) == objects.AMONG_MEMBERS:
            return permissions.AMONG_MEMBERS
        if "guild_id" not in channel:
            return permissions.OF_BOT if user_id == self.bot["id"] else permissions.EVERYONE
        guild = self.guild_of(channel)
        if user_id == guild["owner_id"]:
            return permissions.EVERYTHING
        ruling = self.channels[channel["parent_id"]] if channel["type"] in objects.THREADS else channel
        return permissions.permissions_in(ruling, user_id, self.role_permissions(user_id, guild))

    def role_permissions(self, user_id: str, guild: Object) -> int:
        """Return the permissions of a user in a server, without the overwrites of channels."""
        if user_id == guild["owner_id"]:
            return permissions.EVERYTHING
        return permissions.OF_BOT if user_id == self.bot["id"] else permissions.EVERYONE

    def sees(self, user_id: str, channel: Object) -> bool:
        if "guild_id" in channel and not self.is_in(user_id, channel["guild_id"]):
            return False
        match channel["type"]:
            case objects.DM | objects.GROUP:
                its_own = user_id == self.bot["id"] and objects.context(channel) == objects.WITH_BOT
                return its_own or any(one["id"] == user_id for one in channel["recipients"])
            case objects.PRIVATE_THREAD if not self.moderates(user_id, channel):
                return any(one["user_id"] == user_id for one in self.thread_members.get(channel["id"], ()))
        return bool(self.permissions(user_id, channel) & permissions.bit("view_channel"))

    def moderates(self, user_id: str, thread: Object) -> bool:
        """Return whether a user has the permission Manage Threads."""
        return bool(self.permissions(user_id, thread) & permissions.bit("manage_threads"))

    def state_of(self, message: Message) -> str:
        """Return "thinking" or "failed" for a deferred response without text, or "sent" for other messages."""
        if not message.loading:
            return "sent"
        made = self.interactions.get(message.interaction or "")
        if made is None or made.token_expired(self.clock.time()):
            return "failed"
        return "thinking"

    # --- changing

    def set_meta(self, name: str, value: Any) -> None:
        self.store.save("meta", name, value)

    def admit(self, guild_id: str, *, bot: bool) -> None:
        """Store whether the bot is in a server."""
        (self._left.discard if bot else self._left.add)(guild_id)
        self.set_meta("bot_left", sorted(self._left))

    def admit_member(self, guild_id: str, user_id: str, *, there: bool) -> None:
        """Store that a member has left a server and its threads, or has returned if `there` is True."""
        gone = {*self._gone.get(guild_id, ())}
        (gone.discard if there else gone.add)(user_id)
        self._gone[guild_id] = sorted(gone)
        self.set_meta("members_left", self._gone)
        self._people[guild_id] = self._people[guild_id].difference({user_id}) | (
            {user_id} if there else set()
        )
        for channel in self.channels_of(guild_id):
            joined = self.thread_members.get(channel["id"], [])
            if not there and any(one["user_id"] == user_id for one in joined):
                self.put_thread_members(channel["id"], [one for one in joined if one["user_id"] != user_id])

    def reachable_by_bot(self, user_id: str) -> bool:
        """Return whether the bot may send direct messages to a member: they share a server, or installed the bot."""
        home = self._home.get(user_id, "")
        return user_id in self.installed or (self.bot_is_in(home) and self.is_in(user_id, home))

    def put_members(self, guild_id: str, users: Sequence[Object]) -> None:
        """Replace all members of a server, who are deleted, by new members."""
        for gone in (*self._people[guild_id], *self._gone.pop(guild_id, ())):
            del self.users[gone], self._home[gone]
            self.store.delete("user", gone)
        self.set_meta("members_left", self._gone)
        for user in users:
            self.users[user["id"]], self._home[user["id"]] = user, guild_id
            self.store.save("user", user["id"], user)
        self._people[guild_id] = frozenset(user["id"] for user in users)
        self.store.save("guild_members", guild_id, [user["id"] for user in users])

    def install(self, user_id: str) -> None:
        """Store that a member has installed the application."""
        self.installed.add(user_id)
        self.set_meta("installed", sorted(self.installed))

    def uninstall(self, user_id: str) -> None:
        """Store that a member has not installed the application."""
        self.installed.discard(user_id)
        self.set_meta("installed", sorted(self.installed))

    def put_channel(self, channel: Object) -> None:
        self.channels[channel["id"]] = channel
        self._channels_of.get(channel.get("guild_id", ""), {})[channel["id"]] = channel
        self.messages.setdefault(channel["id"], {})
        self.store.save("channel", channel["id"], channel)

    def put_thread_members(self, thread_id: str, members: list[Object]) -> None:
        self.thread_members[thread_id] = members
        self.store.save("thread_members", thread_id, members)
        self.channels[thread_id]["member_count"] = len(members)
        self.put_channel(self.channels[thread_id])

    def remove_channel(self, channel: Object) -> None:
        for message in list(self.messages.pop(channel["id"], {}).values()):
            self._forget(message)
        self.channels.pop(channel["id"])
        self._channels_of.get(channel.get("guild_id", ""), {}).pop(channel["id"], None)
        self.store.delete("channel", channel["id"])
        self.store.delete("thread_members", channel["id"])

    def put_message(self, message: Message) -> None:
        """Store a new or changed message."""
        known = self.messages[message.channel_id]
        if message.id not in known and message.ephemeral_for is None:
            channel = self.channels[message.channel_id]
            channel["last_message_id"] = message.id
            if channel["type"] in objects.THREADS:
                channel["message_count"] += 1
                channel["total_message_sent"] += 1
            self.put_channel(channel)
        known[message.id] = message
        self.store.save("message", message.id, message.dump())

    def remove_message(self, message: Message) -> None:
        self.messages[message.channel_id].pop(message.id, None)
        self._forget(message)

    def _forget(self, message: Message) -> None:
        self.store.delete("message", message.id)
        for file in message.files:
            self.store.delete_file(file["id"])

    def put_interaction(self, interaction: Interaction) -> None:
        self.interactions[interaction.id] = interaction
        self.store.save("interaction", interaction.id, interaction.dump())

    def forget_old_interactions(self) -> None:
        """Delete interactions whose tokens expired long ago, so that the file does not grow without limit."""
        limit = self.clock.time() - 2 * TOKEN_LIVES
        for id_ in [id_ for id_, one in self.interactions.items() if one.created < limit]:
            del self.interactions[id_]
            self.store.delete("interaction", id_)

    def put_upload(self, member: str, attachment: Object, data: bytes) -> None:
        """Store an uploaded file for an option."""
        id_ = attachment["id"]
        self.uploads[id_] = {"member": member, "given": self.clock.time(), "attachment": attachment}
        self.store.save("upload", id_, self.uploads[id_])
        self.store.save_file(id_, data)

    def forget_old_uploads(self) -> None:
        """Delete the old files for options."""
        limit = self.clock.time() - UPLOAD_LIVES
        for id_ in [id_ for id_, one in self.uploads.items() if one["given"] < limit]:
            del self.uploads[id_]
            self.store.delete("upload", id_)
            self.store.delete_file(id_)

    def put_commands(self, gone: Iterable[str], commands: Iterable[Object]) -> None:
        for id_ in gone:
            del self.commands[id_]
            self.store.delete("command", id_)
        for command in commands:
            self.commands[command["id"]] = command
            self.store.save("command", command["id"], command)

    def member_view(self, message: Message) -> Object:
        """Return the message with the two additional fields of the page."""
        return self.view(message) | {"ephemeral_for": message.ephemeral_for, "state": self.state_of(message)}

    def view(self, message: Message) -> Object:
        """Return the message in Discord's format, with its thread and the message that it replies to."""
        body = message.body
        if message.flags & HAS_THREAD and message.id in self.channels:
            body = body | {"thread": self.channels[message.id]}
        reference = body.get("message_reference")
        if reference is None or "message_id" not in reference:
            return body
        other = self.messages.get(reference["channel_id"], {}).get(reference["message_id"])
        return body | {"referenced_message": None if other is None else other.body}
