"""The local Discord as one object: a server on loopback, started and stopped as a context."""

import asyncio
import base64
import socket
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.sandbox.faults import Faults
from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.interactions.interactions import Interactions
from bot.sandbox.json_types import Object
from bot.sandbox.messages.messages import Messages
from bot.sandbox.messages.welcome import greet
from bot.sandbox.page.calls import add_calls
from bot.sandbox.page.feed import Feed
from bot.sandbox.page.files import add_files
from bot.sandbox.page.own_addresses import own_addresses_only
from bot.sandbox.rest import ROUTES
from bot.sandbox.rest.wire import API, Observer, serve, unknown
from bot.sandbox.services import Services
from bot.sandbox.world import permissions
from bot.sandbox.world.clock import Clock, SystemClock
from bot.sandbox.world.events import (
    BotAdded,
    BotRemoved,
    ChannelChanged,
    CommandsChanged,
    GuildAvailable,
    GuildChanged,
    GuildUnavailable,
)
from bot.sandbox.world.setup import set_up
from bot.sandbox.world.store import Store
from bot.sandbox.world.world import World

LARGEST_REQUEST = 128 * 1024 * 1024
"""Bytes: ten files of the largest size, with room for the rest of the request."""


class Sandbox:
    """A local Discord with one server.

    `port` 0 takes any free one. `path` is the file that stores the world; without it the world lives in memory.
    `members`, `channels` and `guild` are names; members and channels that a stored world lacks are added. `welcome`
    is the text of a first message in the first channel. `application` is the bot's name. If `token` is given, no
    other token can log in. If `privileged` is False, the privileged intents are refused (close code 4014).
    `heartbeat` is the gateway's interval in seconds. `observe` is called with every REST exchange.

    After the start, `url` is the http address and `gateway` the WebSocket address, both without a slash at the end.
    Raises OSError if the port is taken, ValueError if it is not a port, StoreError if the file cannot be used.
    """

    url: str
    gateway: str
    services: Services
    faults: Faults

    def __init__(
        self, port: int = 0, *,
        members: Sequence[str] = ("Ada", "Grace", "Emmy"), channels: Sequence[str] = ("general",),
        guild: str = "Local server", welcome: str | None = None, application: str = "Bot",
        path: Path | str | None = None, token: str | None = None, privileged: bool = True,
        heartbeat: float = 41.25, clock: Clock | None = None, observe: Observer | None = None,
    ) -> None:  # fmt: skip
        self._port = port
        self._members, self._channels, self._guild = tuple(members), tuple(channels), guild
        self._welcome, self._application = welcome, application
        self._path = Path(path) if path is not None else None
        self._token, self._privileged, self._heartbeat = token, privileged, heartbeat
        self._clock = clock or SystemClock()
        self._observe = observe
        self._runner: web.AppRunner | None = None
        self._store: Store | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        if not 0 <= self._port <= 65_535:
            raise ValueError(f"A port is a number from 0 to 65535, not {self._port}.")
        # The port must be known first: the stored addresses of files contain it.
        listener = socket.create_server(("127.0.0.1", self._port))
        try:
            port = listener.getsockname()[1]
            self.url, self.gateway = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
            self._store = Store(self._path)
            self._open(self._store)
            self._runner = web.AppRunner(self._app(port), shutdown_timeout=1, access_log=None)
            await self._runner.setup()
            await web.SockSite(self._runner, listener).start()
        except BaseException:
            listener.close()
            await self.stop()
            raise

    async def stop(self) -> None:
        if self._runner is not None:
            self.services.interactions.close()
            self.services.gateway.close(1001, "Going away")
            # Let the event loop run once, so that the close frames go out before the sockets are closed.
            await asyncio.sleep(0)
            await self._runner.cleanup()
            self._runner = None
        if self._store is not None:
            self._store.close()
            self._store = None

    def _open(self, store: Store) -> None:
        set_up(
            store, self._clock, self.url,
            guild=self._guild, application=self._application, channels=self._channels, members=self._members,
            privileged=self._privileged,
        )  # fmt: skip
        world = World(store, self._clock, self.url)
        messages = Messages(world)
        gateway = Gateway(world, token=self._token, heartbeat=self._heartbeat, privileged=self._privileged)
        interactions = Interactions(world, messages)
        self.faults = Faults()
        self.services = Services(world, messages, interactions, gateway, self.faults, self._privileged)
        if self._welcome is not None:
            greet(world, messages, self._welcome)

    def _app(self, port: int) -> web.Application:
        app = web.Application(client_max_size=LARGEST_REQUEST, middlewares=[own_addresses_only(port)])
        for route in ROUTES:
            app.router.add_route(
                route.method, API + route.template, serve(route, self.services, self._observe)
            )
        app.router.add_route("*", API + "/{tail:.*}", unknown(self._observe))
        feed = Feed(self.services)
        add_calls(app, self.services, feed)

        async def close_feed(app: web.Application) -> None:
            await feed.close()

        app.on_shutdown.append(close_feed)
        add_files(app, self.services)
        return app

    @property
    def token(self) -> str:
        """A token that logs in, in Discord's format: some libraries read the application's id from its first part."""
        own = base64.b64encode(self.world.application["id"].encode()).decode().rstrip("=")
        return self._token or f"{own}.local.local"

    # --- disturbances that tests and operators cause

    @property
    def world(self) -> World:
        return self.services.world

    def deny(self, channel: str, permission: str) -> None:
        """Deny the bot a permission, such as "send_messages", in a channel given by its id or name."""
        self._permit(channel, permission, denied=True)

    def allow(self, channel: str, permission: str) -> None:
        """Give a denied permission back."""
        self._permit(channel, permission, denied=False)

    def _permit(self, name: str, permission: str, *, denied: bool) -> None:
        channel = self.channel(name)
        change = permissions.deny if denied else permissions.allow
        change(channel, self.world.bot["id"], permission)
        self.world.put_channel(channel)
        self.world.publish(ChannelChanged(channel))

    def system_channel(self, name: str) -> None:
        """Make a channel, given by its id or name, the server's system channel. At first there is none."""
        self.world.guild["system_channel_id"] = self.channel(name)["id"]
        self.world.publish(GuildChanged())

    def remove_bot(self) -> None:
        """Remove the bot from the server. Its commands disappear there, and it no longer sees the server."""
        self.world.admit(bot=False)
        self.world.publish(BotRemoved())
        self.world.publish(CommandsChanged())

    def add_bot(self) -> None:
        """Add the bot to the server again."""
        self.world.admit(bot=True)
        self.world.publish(BotAdded())
        self.world.publish(CommandsChanged())

    def outage(self) -> None:
        """Make the server unavailable, as the gateway announces it. REST goes on working."""
        self.world.publish(GuildUnavailable())

    def recover(self) -> None:
        """Make the server available again."""
        self.world.publish(GuildAvailable())

    def close_direct(self, member: str) -> None:
        """Let a member, given by name or id, accept no direct messages from now on."""
        self.world.closed.add(self.member(member)["id"])

    def install(self, member: str) -> None:
        """Install the application for a member, given by name or id."""
        self.world.install(self.member(member)["id"])

    def channel(self, name: str) -> Object:
        """Return a channel by its id or name. Raises KeyError if there is none."""
        for channel in self.world.channels.values():
            if name in (channel["id"], channel.get("name")):
                return channel
        raise KeyError(f"There is no channel {name!r}.")

    def member(self, name: str) -> Object:
        """Return a member's user object by name or id. Raises KeyError if there is none."""
        for user in self.world.members:
            if name in (user["id"], user["global_name"]):
                return user
        raise KeyError(f"There is no member {name!r}.")
