"""Sends the world's events to the sessions of bots."""

from collections.abc import Mapping

from bot.sandbox.gateway import payloads
from bot.sandbox.gateway.session import Session
from bot.sandbox.json_types import Object
from bot.sandbox.world import events, objects
from bot.sandbox.world.records import Message
from bot.sandbox.world.world import World

GUILDS, GUILD_MEMBERS, GUILD_PRESENCES, GUILD_MESSAGES = 1 << 0, 1 << 1, 1 << 8, 1 << 9
GUILD_TYPING, DIRECT_MESSAGES, DIRECT_TYPING, MESSAGE_CONTENT = 1 << 11, 1 << 12, 1 << 14, 1 << 15
PRIVILEGED = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT


class Dispatcher:
    """Dispatches each event of the world to the sessions whose intents ask for it."""

    def __init__(self, world: World, sessions: Mapping[str, Session]) -> None:
        self._world = world
        self._sessions = sessions
        world.listen(self._on_event)

    def _on_event(self, event: events.Event) -> None:
        match event:
            case events.InteractionOpened(interaction):
                opened = payloads.interaction_create(self._world, interaction)
                self._dispatch(opened.get("guild_id"), 0, "INTERACTION_CREATE", opened)
            case events.MessageSent(message):
                self._dispatch_message("MESSAGE_CREATE", message)
            case events.MessageEdited(message):
                self._dispatch_message("MESSAGE_UPDATE", message)
            case events.MessageGone(message) if message.ephemeral_for is None:
                self._dispatch_deletion(message)
            case events.ChannelMade(channel):
                self._dispatch_channel("CREATE", channel, {"newly_created": True})
            case events.ThreadJoined(thread, member) if (
                thread["type"] == objects.PRIVATE_THREAD and member["user_id"] == self._world.bot["id"]
            ):  # The bot gets access to the thread.
                self._dispatch_channel("CREATE", thread, {"member": member})
            case events.ChannelChanged(channel):
                self._dispatch_channel("UPDATE", channel)
            case events.ChannelGone(channel):
                self._dispatch_channel("DELETE", channel)
            case events.ChannelPinned(channel, at):
                self._dispatch_pins(channel, at)
            case events.BotAdded(guild):
                # Discord sends no `unavailable` here. So libraries distinguish a new server from the end of an outage.
                made = payloads.guild_create(self._world, guild)
                del made["unavailable"]
                self._dispatch(guild["id"], GUILDS, "GUILD_CREATE", made)
            case events.MemberLeft(guild, user) if self._world.bot_is_in(guild["id"]):
                left = {"guild_id": guild["id"], "user": user}
                self._dispatch(guild["id"], GUILD_MEMBERS, "GUILD_MEMBER_REMOVE", left)
            case events.MemberJoined(guild, user) if self._world.bot_is_in(guild["id"]):
                joined = self._world.member(guild["id"], user["id"]) | {"guild_id": guild["id"]}
                self._dispatch(guild["id"], GUILD_MEMBERS, "GUILD_MEMBER_ADD", joined)
            case events.BotRemoved(guild):
                self._dispatch(guild["id"], GUILDS, "GUILD_DELETE", {"id": guild["id"]})
            case events.GuildChanged(guild) | events.GuildAvailable(guild) | events.GuildUnavailable(guild):
                if self._world.bot_is_in(guild["id"]):
                    self._dispatch_guild(event, guild)
            case events.Typing(channel, user_id) if user_id != self._world.bot["id"]:
                self._dispatch_typing(channel, user_id)

    def _dispatch(self, guild_id: str | None, intent: int, name: str, data: Object) -> None:
        """Dispatch an event to every session of its shard that has this intent. Intent 0 reaches all sessions.

        `guild_id` is None for events of direct messages.
        """
        for session in self._sessions.values():
            if session.serves(guild_id) and session.intents & intent == intent:
                session.dispatch(name, data)

    def _dispatch_guild(self, event: events.GuildEvent, guild: Object) -> None:
        match event:
            case events.GuildChanged():
                name, data = "GUILD_UPDATE", guild
            case events.GuildAvailable():
                name, data = "GUILD_CREATE", payloads.guild_create(self._world, guild)
            case _:
                name, data = "GUILD_DELETE", {"id": guild["id"], "unavailable": True}
        self._dispatch(guild["id"], GUILDS, name, data)

    def _dispatch_deletion(self, message: Message) -> None:
        channel = self._world.channels.get(message.channel_id)
        if channel is None or objects.context(channel) == objects.AMONG_MEMBERS:
            return
        if "guild_id" in channel and not self._world.bot_is_in(channel["guild_id"]):
            return
        gone = {"id": message.id, "channel_id": message.channel_id, **objects.server_of(channel)}
        self._dispatch(channel.get("guild_id"), _messages_intent(channel), "MESSAGE_DELETE", gone)

    def _dispatch_message(self, name: str, message: Message) -> None:
        if message.ephemeral_for is not None:
            return
        world = self._world
        channel = world.channels[message.channel_id]
        intent = _messages_intent(channel)
        if not world.sees(world.bot["id"], channel):
            return
        for session in self._sessions.values():
            if session.intents & intent and session.serves(channel.get("guild_id")):
                read = bool(session.intents & MESSAGE_CONTENT) or payloads.readable(world, message)
                session.dispatch(name, payloads.message_event(world, message, read=read))

    def _dispatch_channel(self, what: str, channel: Object, extra: Object | None = None) -> None:
        if "guild_id" not in channel or not self._world.bot_is_in(channel["guild_id"]):
            return
        if channel["type"] in objects.THREADS:
            if what == "DELETE" or self._world.sees(self._world.bot["id"], channel):
                self._dispatch(channel["guild_id"], GUILDS, f"THREAD_{what}", channel | (extra or {}))
        else:
            self._dispatch(channel["guild_id"], GUILDS, f"CHANNEL_{what}", channel)

    def _dispatch_pins(self, channel: Object, at: str | None) -> None:
        if not self._world.sees(self._world.bot["id"], channel):
            return
        event = {"channel_id": channel["id"], "last_pin_timestamp": at, **objects.server_of(channel)}
        intent = GUILDS if "guild_id" in channel else DIRECT_MESSAGES
        self._dispatch(channel.get("guild_id"), intent, "CHANNEL_PINS_UPDATE", event)

    def _dispatch_typing(self, channel: Object, user_id: str) -> None:
        if not self._world.sees(self._world.bot["id"], channel):
            return
        typing: Object = {
            "channel_id": channel["id"],
            "user_id": user_id,
            "timestamp": int(self._world.clock.time()),
        }
        if "guild_id" in channel:
            member = self._world.member(channel["guild_id"], user_id)
            typing |= {"guild_id": channel["guild_id"], "member": member}
        intent = GUILD_TYPING if "guild_id" in channel else DIRECT_TYPING
        self._dispatch(channel.get("guild_id"), intent, "TYPING_START", typing)


def _messages_intent(channel: Object) -> int:
    return DIRECT_MESSAGES if channel["type"] == objects.DM else GUILD_MESSAGES
