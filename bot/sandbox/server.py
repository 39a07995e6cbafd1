"""The local Discord as one object: a server on loopback, started and stopped as a context."""

import asyncio
import base64
import socket
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.sandbox.activities import Activities
from bot.sandbox.checks.commands import ENTRY_POINT
from bot.sandbox.errors import Refused
from bot.sandbox.faults import Faults
from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.interactions.interactions import Interactions
from bot.sandbox.json_types import Object
from bot.sandbox.messages import Messages
from bot.sandbox.page.calls import add_calls, refuse
from bot.sandbox.page.feed import Feed
from bot.sandbox.page.files import add_files
from bot.sandbox.rest import ROUTES
from bot.sandbox.rest.wire import API, Observer, serve, unknown
from bot.sandbox.services import NEW_DIRECT_MESSAGES, OLD_EDITS, GlobalLimit, Limit, Services
from bot.sandbox.world import events, objects, permissions, threads
from bot.sandbox.world.clock import Clock, SystemClock
from bot.sandbox.world.people import delete_account, move_member
from bot.sandbox.world.setup import set_up
from bot.sandbox.world.store import Store
from bot.sandbox.world.world import World

LARGEST_REQUEST = 128 * 1024 * 1024
"""Bytes: ten files of the largest size, with room for the rest of the request."""
MOST_SERVERS = 100
"""Servers to which an application can be added before it is verified. A world may begin with more."""


class Sandbox:
    """A local Discord.

    `port` 0 takes any free one. `path` is the file that stores the world; without it the world lives in memory.
    `members`, `channels` and `guild` are names; members and channels that a stored world lacks are added. A channel
    may be a pair of its name and its kind: text, voice, announcement or forum. `welcome`
    is the text of a first message in the first channel. `application` is the bot's name. If `token` is given, no
    other token can log in. If `privileged` is False, the privileged intents are refused (close code 4014).
    `heartbeat` is the gateway's interval in seconds. `observe` is called with every REST exchange.

    With more than one of `servers`, the others are numbered: each has the same channels, and members of its own, "Ada
    2" and so on. `shards` is the number of shards that the gateway recommends, `most_guilds` the number of servers
    that one session may have. `max_concurrency` sessions may begin every 5 seconds, and with None all at once.
    `global_limit` is the number of requests of the bot in a second, with None any number.

    After the start, `url` is the http address and `gateway` the WebSocket address, both without a slash at the end.
    Raises OSError if the port is taken, ValueError if it is not a port, StoreError if the file cannot be used.
    """

    url: str
    gateway: str
    services: Services
    faults: Faults
    verified = False
    """True if Discord has verified the application, which may then be added to any number of servers."""

    def __init__(
        self, port: int = 0, *,
        members: Sequence[str] = ("Ada", "Grace", "Emmy"), channels: Sequence[str | tuple[str, str]] = ("general",),
        guild: str = "Local server", welcome: str | None = None, application: str = "Bot",
        path: Path | str | None = None, token: str | None = None, privileged: bool = True,
        heartbeat: float = 41.25, clock: Clock | None = None, observe: Observer | None = None,
        servers: int = 1, shards: int = 1, most_guilds: int = 2_500, max_concurrency: int | None = None,
        global_limit: int | None = None,
    ) -> None:  # fmt: skip
        self._port = port
        self._members, self._channels, self._guild = tuple(members), tuple(channels), guild
        self._welcome, self._application = welcome, application
        self._path = Path(path) if path is not None else None
        self._token, self._privileged, self._heartbeat = token, privileged, heartbeat
        self._clock = clock or SystemClock()
        self._observe = observe
        self._servers, self._shards, self._most_guilds = servers, shards, most_guilds
        self._max_concurrency, self._global_limit = max_concurrency, global_limit
        self._runner: web.AppRunner | None = None
        self._store: Store | None = None
        self._archiving: asyncio.Task[None] | None = None

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
        # The port must be known first, because the stored addresses of files contain the port.
        listener = socket.create_server(("127.0.0.1", self._port))
        try:
            port = listener.getsockname()[1]
            self.url, self.gateway = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
            self._store = Store(self._path)
            self._open(self._store)
            self._archiving = asyncio.create_task(threads.keep_archiving(self.world))
            self._runner = web.AppRunner(self._app(port), shutdown_timeout=1, access_log=None)
            await self._runner.setup()
            await web.SockSite(self._runner, listener).start()
        except BaseException:
            listener.close()
            await self.stop()
            raise

    async def stop(self) -> None:
        if self._archiving is not None:
            self._archiving.cancel()
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
            privileged=self._privileged, servers=self._servers,
        )  # fmt: skip
        world = World(store, self._clock, self.url)
        messages = Messages(world)
        gateway = Gateway(
            world, max_concurrency=self._max_concurrency, token=self._token, heartbeat=self._heartbeat,
            privileged=self._privileged, shards=self._shards, most_guilds=self._most_guilds,
        )  # fmt: skip
        activities = Activities(world)
        interactions = Interactions(world, messages, activities)
        self.faults = Faults()
        self.services = Services(
            world, messages, interactions, activities, gateway, self.faults,
            GlobalLimit(self._clock, self._global_limit),
            old_edits=Limit(self._clock, OLD_EDITS, seconds=6),
            new_direct_messages=Limit(self._clock, NEW_DIRECT_MESSAGES, seconds=60),
            privileged=self._privileged,
        )  # fmt: skip
        if self._welcome is not None:
            _greet(world, messages, self._welcome)

    def _app(self, port: int) -> web.Application:
        app = web.Application(
            client_max_size=LARGEST_REQUEST, middlewares=[_own_addresses_only(port), refuse]
        )
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
        app.router.add_route("*", "/activity/{application}/{path:.*}", self.services.activities.serve)
        add_files(app, self.services)
        return app

    @property
    def token(self) -> str:
        """A token that logs in, in Discord's format: some libraries read the application's id from its first part."""
        own = base64.b64encode(self.world.application["id"].encode()).decode().rstrip("=")
        return self._token or f"{own}.local.local"

    # --- disturbances

    @property
    def world(self) -> World:
        return self.services.world

    def deny(self, channel: str, permission: str, user: str | None = None) -> None:
        """Deny the bot a permission, such as "send_messages", in a channel given by its id or name.

        With `user`, the permission is denied to this member, given by name or id.
        """
        self._permit(channel, permission, user, denied=True)

    def allow(self, channel: str, permission: str, user: str | None = None) -> None:
        """Allow a permission that was denied, or that the bot or the member does not have otherwise."""
        self._permit(channel, permission, user, denied=False)

    def _permit(self, name: str, permission: str, user: str | None, *, denied: bool) -> None:
        channel = self.channel(name)
        holder = self.world.bot if user is None else self.member(user)
        permissions.permit(channel, holder["id"], permission, denied=denied)
        self.world.put_channel(channel)
        self.world.publish(events.ChannelChanged(channel))

    def enable_activities(self, address: str | None = None, secret: str | None = None) -> None:
        """Enable Activities for the application, for which Discord adds an Entry Point command to its global ones.

        `address` is the http address of its page, without a slash at the end, and `secret` its client secret.
        """
        world, activities = self.world, self.services.activities
        activities.address, activities.secret = address, secret or activities.secret
        if any(one["type"] == ENTRY_POINT for one in world.commands.values()):
            return
        added = objects.entry_point(world.new_id(), world.application["id"], world.new_id())
        world.put_commands([], [added])
        world.publish(events.CommandsChanged())

    def add_channel(self, name: str, kind: str) -> str:
        """Add a channel to the first server and return its id; `kind` is text, voice, announcement or forum."""
        guild = self.world.guild["id"]
        position = len(self.world.channels_of(guild))
        made = objects.guild_channel(self.world.new_id(), guild, name, position, objects.KINDS[kind])
        self.world.put_channel(made)
        self.world.publish(events.ChannelMade(made))
        return str(made["id"])

    def system_channel(self, name: str) -> None:
        """Make a channel, given by its id or name, the server's system channel."""
        self._use(name, "system_channel_id")

    def moderators_channel(self, name: str) -> None:
        """Make a channel, given by its id or name, the channel of Discord's notes to moderators."""
        self._use(name, "public_updates_channel_id")

    def _use(self, name: str, use: str) -> None:
        channel = self.channel(name)
        guild = self.world.guild_of(channel)
        guild[use] = channel["id"]
        self.world.publish(events.GuildChanged(guild))

    def remove_bot(self, server: str | None = None) -> None:
        """Remove the bot from a server, given by its id or name, or from the first.

        The commands disappear there, and the bot no longer sees the server.
        """
        guild = self.server(server)
        self.world.admit(guild["id"], bot=False)
        self.world.publish(events.BotRemoved(guild))
        self.world.publish(events.CommandsChanged())

    def add_bot(self, server: str | None = None) -> None:
        """Add the bot to a server again.

        Raises Refused if it is in MOST_SERVERS already and `verified` is False.
        """
        guild = self.server(server)
        if not self.verified and sum(map(self.world.bot_is_in, self.world.guilds)) >= MOST_SERVERS:
            raise Refused("Unverified apps cannot join more than 100 servers.")
        self.world.admit(guild["id"], bot=True)
        self.world.publish(events.BotAdded(guild))
        self.world.publish(events.CommandsChanged())

    def leave(self, member: str) -> None:
        """Make a member, given by name or id, leave their server. Raises Refused for the owner."""
        move_member(self.world, self.member(member)["id"], there=False)

    def join(self, member: str) -> None:
        """Make a member who has left return to their server."""
        move_member(self.world, self.member(member)["id"], there=True)

    def delete_account(self, member: str) -> None:
        """Delete the account of a member, given by name or id. Raises Refused for the owner of a server."""
        delete_account(self.world, self.member(member)["id"])

    def outage(self, server: str | None = None) -> None:
        """Make a server unavailable. The gateway announces the outage, and REST continues to work."""
        self.world.publish(events.GuildUnavailable(self.server(server)))

    def recover(self, server: str | None = None) -> None:
        """Make a server available again."""
        self.world.publish(events.GuildAvailable(self.server(server)))

    def close_direct(self, member: str) -> None:
        """Make a member, given by name or id, refuse direct messages from now on."""
        self.world.closed.add(self.member(member)["id"])

    def install(self, member: str) -> None:
        """Install the application for a member, given by name or id."""
        self.world.install(self.member(member)["id"])

    def server(self, name: str | None = None) -> Object:
        """Return a server by its id or name, or the first. Raises KeyError if there is none."""
        for guild in self.world.guilds.values():
            if name in (None, guild["id"], guild["name"]):
                return guild
        raise KeyError(f"There is no server {name!r}.")

    def channel(self, name: str) -> Object:
        """Return a channel by its id, or the first of this name. Raises KeyError if there is none."""
        for channel in self.world.channels.values():
            if name in (channel["id"], channel.get("name")):
                return channel
        raise KeyError(f"There is no channel {name!r}.")

    def member(self, name: str) -> Object:
        """Return a member's user object by name or id. Raises KeyError if there is none."""
        for user in self.world.users.values():
            if name in (user["id"], user["global_name"]):
                return user
        raise KeyError(f"There is no member {name!r}.")


def _greet(world: World, messages: Messages, text: str) -> None:
    """Post `text` as the bot in the first channel, once for each world."""
    if world.store.get("meta", "welcomed"):
        return
    channel = min(
        (one for one in world.channels.values() if one["type"] == 0), key=lambda one: one["position"]
    )
    draft = messages.draft_reader(channel["id"]).read({"content": text, "allowed_mentions": {"parse": []}})
    with world.store.transaction():
        messages.send(channel, world.bot, draft)
        world.set_meta("welcomed", True)


def _own_addresses_only(port: int) -> Middleware:
    """Return a middleware that refuses any Host or Origin that is not this server's own.

    The check protects against other machines and against other sites in the same browser. Without the check a page of
    another site could act as a member, directly or by a name that resolves to 127.0.0.1.
    """
    hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
    origins = {f"http://{host}" for host in hosts}

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if request.headers.get("Host", "") not in hosts or (origin is not None and origin not in origins):
            return web.json_response(
                {"error": "This server answers its own page and local programs only."}, status=403
            )
        return await handler(request)

    return check
