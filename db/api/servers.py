"""Servers: their settings, the alerts they were sent, and the servers that the bot has left."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypedDict, Unpack

from db.api.clocks import TimeControl
from db.api.places import DiscordId
from db.api.posts import PostKind
from db.api.shards import EVERY, Shards


class ResultPicture(StrEnum):
    """The picture that is posted with the announcement of a result."""

    NONE = "none"
    BOARD = "board"
    FILM = "film"


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server; one that set nothing has the defaults."""

    guild: DiscordId
    theme: str | None = None
    """The theme of public pictures; None uses the bot's theme."""
    channels: tuple[DiscordId, ...] = ()
    """The channels where games may be played; empty means all."""
    withheld: tuple[str, ...] = ()
    """Keys of the games that are not offered."""
    results: DiscordId | None = None
    """The channel in which results are announced."""
    threads: bool = False
    """True if every game gets a thread of its own."""
    time_control: TimeControl | None = None
    """The time control of a game for which no other was chosen."""
    podium: bool = False
    """True if the best of each season are announced once it is over."""
    everywhere: bool = True
    """True if games that end there also count on global leaderboards."""
    showing: bool = True
    """True if members may show to a channel what the bot has answered to them alone."""
    result_picture: ResultPicture = ResultPicture.BOARD
    """The picture beside a result in the channel of results."""
    pins: bool = False
    """True if the newest board of each running game is pinned in its channel."""
    puzzle_channel: DiscordId | None = None
    """The channel in which the puzzle of each day is posted."""
    puzzle_hour: int = 9
    """The hour of the day, in UTC, from which on the puzzle of the day is posted: 0 to 23."""
    weekly_moment: bool = False
    """True if the best moment of each week is posted in that channel, too."""


class ServerChange(TypedDict, total=False):
    """The fields of ServerSettings that are to change."""

    theme: str | None
    channels: tuple[DiscordId, ...]
    withheld: tuple[str, ...]
    results: DiscordId | None
    threads: bool
    time_control: TimeControl | None
    podium: bool
    everywhere: bool
    showing: bool
    result_picture: ResultPicture
    pins: bool
    puzzle_channel: DiscordId | None
    puzzle_hour: int
    weekly_moment: bool


class ServerStore(Protocol):
    """Settings of servers, alerts to those who manage them, and departures of the bot."""

    async def server_settings(self, guild: DiscordId) -> ServerSettings:
        """Return the settings of a server, or the defaults."""

    async def change_server(self, guild: DiscordId, **changes: Unpack[ServerChange]) -> None:
        """Change these settings of a server and leave the others."""

    async def servers_due(
        self, kind: PostKind, key: str, hours: int, limit: int
    ) -> Sequence[tuple[DiscordId, DiscordId | None]]:
        """Return served servers that want a post of this kind and have none of this key, each with its channel.

        Daily and weekly posts are wanted from an hour on that each server chose: `hours` have passed since the
        beginning of the day. The channel of a podium is None where the server chose no channel for results.
        """

    async def alert(self, guild: DiscordId, channel: DiscordId, at: datetime, since: datetime) -> bool:
        """Record an alert about a channel at `at`, unless there was one between `since` and `at`.

        Return True if it was recorded.

        Of several calls at once only one returns True.
        """

    async def servers(self) -> Sequence[DiscordId]:
        """Return every server of which anything is stored, by id."""

    async def depart(self, at: datetime, *guilds: DiscordId) -> None:
        """Record that the bot is no longer in these servers. An earlier departure keeps its time."""

    async def come_back(self, *guilds: DiscordId) -> None:
        """Record that the bot is in these servers."""

    async def departed(
        self, before: datetime, shards: Shards = EVERY, limit: int | None = None
    ) -> Sequence[DiscordId]:
        """Return the servers of some shards that the bot left at `before` or earlier, the longest ago first.

        At most `limit`.
        """

    async def forget_server(self, guild: DiscordId, before: datetime) -> bool:
        """Delete all data of a server that the bot left at `before` or earlier. Return True if this call did it."""
