"""People and places on Discord."""

from dataclasses import dataclass

DiscordId = int
"""A user, server, channel or message by its Discord id."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is played; `guild` is None in direct messages."""

    guild: DiscordId | None
    channel: DiscordId
