"""Users and places on Discord, and the shards to which servers belong."""

from collections.abc import Collection
from dataclasses import dataclass, field

DiscordId = int
"""The Discord id of a user, server, channel or message. A user id below zero stands for a former member whose data was
deleted. Each match and each challenge has a number of its own for them."""

FORMER = "a former member"
"""The text that replaces the name of a member whose data was deleted."""


SEATS = 2**8
"""More than the seats of any match: former members of a match have numbers from -`SEATS` times its id on, downwards."""


def former(user: DiscordId) -> bool:
    """Return True if the data of this user was deleted."""
    return user < 0


@dataclass(frozen=True, slots=True)
class Place:
    """A place where games are played. `guild` is None in direct messages and in servers that the bot is not in.

    `parent` is the channel of a thread, if it is known. `viewer` is the only member who sees what is posted there, or
    None if everybody does. Places compare equal with and without both.
    """

    guild: DiscordId | None
    channel: DiscordId
    parent: DiscordId | None = field(default=None, compare=False)
    viewer: DiscordId | None = field(default=None, compare=False)

    def near(self, other: "Place") -> bool:
        """Return True if games at one place may be seen from the other: in one server, or one channel otherwise."""
        if self.guild is None or other.guild is None:
            return self.channel == other.channel
        return self.guild == other.guild


DIRECT = 0
"""The shard of everything that belongs to no server, such as direct messages."""


def shard_of(guild: DiscordId | None, count: int) -> int:
    """Return the shard of a server, of `count` shards, as Discord computes it."""
    return DIRECT if guild is None else (guild >> 22) % count


@dataclass(frozen=True, slots=True)
class Shards:
    """A set of the `count` shards of an application, by number from 0. The default is the only shard."""

    count: int = 1
    numbers: frozenset[int] = frozenset({DIRECT})

    @classmethod
    def some(cls, count: int, numbers: Collection[int]) -> "Shards":
        return cls(count, frozenset(numbers))

    @property
    def all(self) -> bool:
        """Return True if no shard is missing."""
        return len(self.numbers) == self.count

    def contains(self, guild: DiscordId | None) -> bool:
        """Return True if a server belongs to one of these shards."""
        return shard_of(guild, self.count) in self.numbers


EVERY = Shards()


class Ownership:
    """The shards that this process owns, which change while it runs. Without anything said it owns everything.

    What is done for a server is done by the process that owns its shard; a process that loses one begins nothing more
    for its servers. `served` are those of them that are connected to Discord: background work is done for these, but
    not for servers that are `banned` from the bot.
    """

    def __init__(self, owned: Shards = EVERY) -> None:
        self.owned = owned
        self.served = owned
        self.banned: frozenset[DiscordId] = frozenset()

    def shard_of(self, guild: DiscordId | None) -> int:
        """Return the shard of a server."""
        return shard_of(guild, self.owned.count)

    def owns(self, guild: DiscordId | None) -> bool:
        """Return True if this process owns the shard of a server."""
        return self.owned.contains(guild)

    def serves(self, guild: DiscordId | None) -> bool:
        """Return True if this process does background work for a server."""
        return self.served.contains(guild) and guild not in self.banned

    def shows(self, guild: DiscordId | None) -> bool:
        """Return True if this process shows what happens in a server. It shows all direct messages that it answers."""
        return guild is None or (self.owns(guild) and guild not in self.banned)

    @property
    def leads(self) -> bool:
        """Return True if this process does what one process does for all servers: it serves the first shard."""
        return DIRECT in self.served.numbers
