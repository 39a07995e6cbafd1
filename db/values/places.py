"""Users and places on Discord."""

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
