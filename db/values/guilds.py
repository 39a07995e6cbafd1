"""What servers have set."""

from dataclasses import dataclass
from typing import TypedDict

from db.values.clocks import Pace
from db.values.places import DiscordId


@dataclass(frozen=True, slots=True)
class Guild:
    """The settings of a server; one that set nothing has the defaults."""

    guild: DiscordId
    theme: str | None = None
    """The look of public pictures; None follows the bot."""
    channels: tuple[DiscordId, ...] = ()
    """Where games may be played; empty means everywhere."""
    withheld: tuple[str, ...] = ()
    """Keys of the games that are not offered."""
    results: DiscordId | None = None
    """The channel that is told how games end."""
    threads: bool = False
    """Whether every game gets a thread of its own."""
    pace: Pace | None = None
    """The clock of a game where nobody has said another."""
    podium: bool = False
    """Whether the best of each season are announced once it is over."""
    everywhere: bool = True
    """Whether what ends there counts on the boards of everywhere, too."""


class GuildChange(TypedDict, total=False):
    """The fields of a Guild that are to change."""

    theme: str | None
    channels: tuple[DiscordId, ...]
    withheld: tuple[str, ...]
    results: DiscordId | None
    threads: bool
    pace: Pace | None
    podium: bool
    everywhere: bool
