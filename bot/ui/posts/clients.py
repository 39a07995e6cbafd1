"""The clients of this process, one for each shard that it serves: together they are in all its servers."""

from collections.abc import Sequence

import discord

from db.values.places import DiscordId, Place
from db.values.shards import DIRECT, shard_of


class NotConnected(ConnectionError):
    """This process has no client for what is to be done. Another may have, or this one has one again soon."""


class Clients:
    """Finds the client of a server, and does for all of them what concerns no server."""

    def __init__(self) -> None:
        self._by_shard: dict[int, discord.Client] = {}
        self._count = 1

    def add(self, client: discord.Client) -> None:
        """Take the client of a shard among those of this process. All must be of one number of shards."""
        self._count = client.shard_count or 1
        self._by_shard[client.shard_id or DIRECT] = client

    def remove(self, client: discord.Client) -> None:
        """Forget a client, unless another has taken its place."""
        if self._by_shard.get(client.shard_id or DIRECT) is client:
            del self._by_shard[client.shard_id or DIRECT]

    def of(self, shard: int) -> discord.Client | None:
        """Return the client of a shard, if this process serves it."""
        return self._by_shard.get(shard)

    @property
    def connected(self) -> frozenset[int]:
        """The shards whose clients are connected at the moment."""
        return frozenset(
            shard for shard, client in self._by_shard.items() if not client.is_closed() and _open(client)
        )

    @property
    def user(self) -> discord.ClientUser | None:
        """The bot itself."""
        return next((client.user for client in self._by_shard.values() if client.user is not None), None)

    def latencies(self) -> list[float]:
        """Return the seconds from a heartbeat of each shard to its acknowledgement; nan before the first."""
        return [client.latency for client in self._by_shard.values()]

    def guilds(self) -> set[DiscordId]:
        """Return the servers of this process that the bot is in, also those that cannot be reached now."""
        return {guild.id for client in self._by_shard.values() for guild in client.guilds}

    def get_guild(self, guild: DiscordId) -> discord.Guild | None:
        """Return a server that this process serves and that the bot is in, or None."""
        client = self._by_shard.get(shard_of(guild, self._count))
        return None if client is None else client.get_guild(guild)

    def get_channel(self, guild: DiscordId, channel: DiscordId) -> discord.abc.GuildChannel | None:
        """Return a channel of such a server, or None."""
        server = self.get_guild(guild)
        return None if server is None else server.get_channel(channel)

    def channel(self, guild: DiscordId | None, channel: DiscordId) -> discord.PartialMessageable:
        """Return a channel of a server, or of direct messages, to post in. Raises NotConnected."""
        return self._client(guild).get_partial_messageable(channel, guild_id=guild)

    async def fetch_thread(self, place: Place) -> discord.Thread | None:
        """Ask Discord for a thread, which may be archived; None if the place is none. Raises NotConnected."""
        found = await self._client(place.guild).fetch_channel(place.channel)
        return found if isinstance(found, discord.Thread) else None

    async def create_dm(self, user: DiscordId) -> discord.DMChannel:
        """Open the direct messages of a member. Raises NotConnected."""
        return await self._client(None).create_dm(discord.Object(user))

    async def fetch_user(self, user: DiscordId) -> discord.User:
        """Ask Discord for a user. Raises NotConnected."""
        return await self._client(None).fetch_user(user)

    async def emojis(self) -> Sequence[discord.Emoji]:
        """Ask Discord for the emojis of the application. Raises NotConnected."""
        return await self._client(None).fetch_application_emojis()

    async def create_emoji(self, name: str, image: bytes) -> discord.Emoji:
        """Give the application an emoji. Raises NotConnected."""
        return await self._client(None).create_application_emoji(name=name, image=image)

    def _client(self, guild: DiscordId | None) -> discord.Client:
        """Return the client of a server; of none, that of direct messages or else any."""
        if guild is not None:
            found = self._by_shard.get(shard_of(guild, self._count))
        else:
            found = self._by_shard.get(DIRECT) or next(iter(self._by_shard.values()), None)
        if found is None:
            raise NotConnected("no shard that could do this is served here")
        return found


def _open(client: discord.Client) -> bool:
    """Return True if a client is connected. Before its first connection it has none, which its type does not say."""
    connection: discord.gateway.DiscordWebSocket | None = client.ws
    return connection is not None and connection.open
