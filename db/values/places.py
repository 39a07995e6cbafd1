"""People and places on Discord."""

from dataclasses import dataclass, field

DiscordId = int
"""A user, server, channel or message by its Discord id."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is played; `guild` is None in direct messages.

    `parent` is the channel of a thread where that is known. A thread is the same place without it.
    """

    guild: DiscordId | None
    channel: DiscordId
    parent: DiscordId | None = field(default=None, compare=False)
