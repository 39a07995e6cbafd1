"""Servers: their settings, the alerts they were sent, and the servers that the bot has left."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

from db.values.clocks import TimeControl
from db.values.places import DiscordId


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
    """True if the post of each week is made in that channel, too."""
    reports: DiscordId | None = None
    """The channel in which reports of members about games are posted."""
    league_channel: DiscordId | None = None
    """The channel in which the leagues take place."""
    leagues: tuple[str, ...] = ()
    """Keys of the games that have a league every month."""
    league_clock: str = "1d"
    """The clock of the months that open from now on, as members write it."""
    league_size: str = "standard"
    """The name of the size of their games; a game that has no such size is played in its standard size."""
    setup_due: bool = False
    """True until a manager is asked if they want to set the server up by a form."""


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
    reports: DiscordId | None
    league_channel: DiscordId | None
    leagues: tuple[str, ...]
    league_clock: str
    league_size: str
    setup_due: bool
