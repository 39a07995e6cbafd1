"""The page's WebSocket, which sends the events that a member may see, and the member's view of channels."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from aiohttp import WSMsgType, web

from bot.sandbox.json_types import Object
from bot.sandbox.services import Services
from bot.sandbox.world import events, objects
from bot.sandbox.world.records import Message
from bot.sandbox.world.world import World


@dataclass(frozen=True, slots=True, eq=False)
class Follower:
    user_id: str
    socket: web.WebSocketResponse
    queue: asyncio.Queue[str]


class Feed:
    """The WebSockets of all open pages, which get the events that their members may see, in order."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._followers: list[Follower] = []
        services.world.listen(self._on_event)

    async def follow(self, request: web.Request, user_id: str) -> web.WebSocketResponse:
        """Serve the WebSocket of a page until it is closed."""
        socket = web.WebSocketResponse(heartbeat=30)
        queue: asyncio.Queue[str] = asyncio.Queue()
        follower = Follower(user_id, socket, queue)
        self._followers.append(follower)
        writer: asyncio.Task[None] | None = None
        try:
            await socket.prepare(request)
            writer = asyncio.create_task(_write(socket, queue))
            async for message in socket:
                if message.type is WSMsgType.ERROR:
                    break
        finally:
            self._followers.remove(follower)
            if writer is not None:
                writer.cancel()
        return socket

    async def close(self) -> None:
        """Close the WebSockets of all pages."""
        for follower in list(self._followers):
            await follower.socket.close(code=1001, message=b"Going away")

    def _on_event(self, event: events.Event) -> None:
        for follower in self._followers:
            for item in self._items(event, follower.user_id):
                follower.queue.put_nowait(json.dumps(item))

    def _items(self, event: events.Event, user_id: str) -> Iterator[Object]:
        world = self._services.world
        match event:
            case events.MessageSent(message, pinged) | events.MessageEdited(message, pinged):
                if may_read(world, user_id, message):
                    yield {"type": "message", "message": world.member_view(message)}
                    if user_id in pinged:
                        yield {"type": "ping", "message": message.id, "channel": message.channel_id}
            case events.MessageGone(message):
                if may_read(world, user_id, message):
                    yield {"type": "message_delete", "channel": message.channel_id, "id": message.id}
            case events.ChannelMade(channel) | events.ChannelChanged(channel):
                if world.sees(user_id, channel):
                    yield {"type": "channel", "channel": channel_for(world, channel, user_id)}
            case events.ChannelGone(channel):
                yield {"type": "channel_delete", "id": channel["id"]}
            case events.MemberLeft(guild, user) if user["id"] == user_id:
                for channel in world.channels_of(guild["id"]):
                    yield {"type": "channel_delete", "id": channel["id"]}
            case events.MemberJoined(guild, user) if user["id"] == user_id:
                for channel in world.channels_of(guild["id"]):
                    if world.sees(user_id, channel):
                        yield {"type": "channel", "channel": channel_for(world, channel, user_id)}
            case events.CommandsChanged():
                yield {"type": "commands"}
            case events.ApplicationChanged():
                yield {"type": "application", "application": application_state(self._services)}
            case events.Typing(channel, typist) if typist != user_id and world.sees(user_id, channel):
                yield {"type": "typing", "channel": channel["id"], "user": typist}
            case events.InteractionFailed(interaction, whose) if whose == user_id:
                yield {"type": "failed", "interaction": interaction}


async def _write(socket: web.WebSocketResponse, queue: asyncio.Queue[str]) -> None:
    with contextlib.suppress(ConnectionError):
        while True:
            await socket.send_str(await queue.get())


def may_read(world: World, user_id: str, message: Message) -> bool:
    channel = world.channels.get(message.channel_id)
    return channel is not None and message.ephemeral_for in (None, user_id) and world.sees(user_id, channel)


def channel_for(world: World, channel: Object, user_id: str) -> Object:
    """Return a channel as a member sees it, without the member among the recipients of direct messages."""
    match objects.context(channel):
        case objects.WITH_BOT:
            return channel | {"recipients": [world.bot]}
        case objects.AMONG_MEMBERS:
            return channel | {"recipients": [one for one in channel["recipients"] if one["id"] != user_id]}
    return channel


def application_state(services: Services) -> Object | None:
    """Return the application, or None if no bot has ever logged in."""
    if not services.world.bot_seen:
        return None
    activity = services.activities.address is not None
    return services.world.application | {"online": services.gateway.online, "activity": activity}
