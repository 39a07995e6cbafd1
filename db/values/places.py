"""People and places on Discord."""

from dataclasses import dataclass, field

DiscordId = int
"""A user, server, channel or message by its Discord id. A user below zero is nobody: a former member, whose data was
deleted, under a number of their own in each match and each challenge."""

FORMER = "a former member"
"""What is said where the name of somebody stood whose data was deleted."""


def former(user: DiscordId) -> bool:
    """Whether this is nobody any more."""
    return user < 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is played; `guild` is None in direct messages, and in a server that the bot is not in.

    `parent` is the channel of a thread where that is known. A thread is the same place without it.
    """

    guild: DiscordId | None
    channel: DiscordId
    parent: DiscordId | None = field(default=None, compare=False)

    def near(self, other: "Place") -> bool:
        """Whether what is played at one may be seen from the other: in the same server, else in the same channel."""
        if self.guild is None or other.guild is None:
            return self.channel == other.channel
        return self.guild == other.guild
