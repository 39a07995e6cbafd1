"""The Discord clients of this process, one for each shard that it serves."""

from collections.abc import Sequence

import discord

from db.values.places import DIRECT, DiscordId, Place, shard_of


class NotConnected(ConnectionError):
    """This process has no client of the shard. Another process may serve the shard, or this one again soon."""


class Clients:
    """Finds the client of a server, or any client for requests that concern no server."""

    def __init__(self) -> None:
        self._by_shard: dict[int, discord.Client] = {}
        self._count = 1

    def add(self, client: discord.Client) -> None:
        """Add the client of a shard. All clients must have the same number of shards."""
        self._count = client.shard_count or 1
        self._by_shard[client.shard_id or DIRECT] = client

    def remove(self, client: discord.Client) -> None:
        """Remove a client, unless another client of the shard was added meanwhile."""
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
        """Return the ids of the bot's servers on the shards of this process, including unavailable ones."""
        return {guild.id for client in self._by_shard.values() for guild in client.guilds}

    def get_guild(self, guild: DiscordId | None) -> discord.Guild | None:
        """Return a server of the bot on the shards of this process; None for others and for direct messages."""
        client = self._by_shard.get(shard_of(guild, self._count))
        return None if client is None or guild is None else client.get_guild(guild)

    def get_channel(self, guild: DiscordId | None, channel: DiscordId) -> discord.abc.GuildChannel | None:
        """Return a channel of a server of this process, or None."""
        server = self.get_guild(guild)
        return None if server is None else server.get_channel(channel)

    def channel(self, guild: DiscordId | None, channel: DiscordId) -> discord.PartialMessageable:
        """Return a channel of a server or of direct messages, in which messages can be posted. Raises NotConnected."""
        return self._client(guild).get_partial_messageable(channel, guild_id=guild)

    async def fetch_thread(self, place: Place) -> discord.Thread | None:
        """Return a thread from Discord, even if archived; None if the channel is no thread. Raises NotConnected."""
        found = await self._client(place.guild).fetch_channel(place.channel)
        return found if isinstance(found, discord.Thread) else None

    async def create_dm(self, user: DiscordId) -> discord.DMChannel:
        """Open the direct messages of a member. Raises NotConnected."""
        return await self._client(None).create_dm(discord.Object(user))

    async def fetch_guild(self, guild: DiscordId) -> discord.Guild:
        """Return a server from Discord, also of another process, without its channels. Raises NotConnected."""
        return await self._client(None).fetch_guild(guild, with_counts=False)

    async def fetch_user(self, user: DiscordId) -> discord.User:
        """Return a user from Discord. Raises NotConnected."""
        return await self._client(None).fetch_user(user)

    async def emojis(self) -> Sequence[discord.Emoji]:
        """Return the emojis of the application from Discord. Raises NotConnected."""
        return await self._client(None).fetch_application_emojis()

    async def create_emoji(self, name: str, image: bytes) -> discord.Emoji:
        """Upload an emoji of the application. Raises NotConnected."""
        return await self._client(None).create_application_emoji(name=name, image=image)

    def _client(self, guild: DiscordId | None) -> discord.Client:
        """Return the client of a server; for None the client of direct messages, or else any client."""
        if guild is not None:
            found = self._by_shard.get(shard_of(guild, self._count))
        else:
            found = self._by_shard.get(DIRECT) or next(iter(self._by_shard.values()), None)
        if found is None:
            raise NotConnected("this process does not serve the shard")
        return found


def _open(client: discord.Client) -> bool:
    """Return True if a client is connected. `ws` is None before the first connection, unlike its type."""
    connection: discord.gateway.DiscordWebSocket | None = client.ws
    return connection is not None and connection.open
