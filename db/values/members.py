"""Members: their choices and interests, the data that is kept about them, and computer players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import TypedDict

from db.values.places import DiscordId
from rules.players.levels import MOST_LEVELS


class Notice(StrEnum):
    """The way in which a member hears that it is their turn."""

    PING = "ping"
    DIRECT = "direct"
    DIGEST = "digest"
    """Once a day, by one direct message; where a clock has less than a day, as by PING."""
    NONE = "none"


FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
"""The `away_until` of a member who has not said when they come back."""


@dataclass(frozen=True, slots=True)
class Member:
    """The preferences of a member, which hold in all servers; a member who chose nothing has the defaults."""

    user: DiscordId
    theme: str | None = None
    """The theme of pictures that only they see; None uses the server's theme."""
    notice: Notice = Notice.PING
    away_until: datetime | None = None
    """Until then nobody may challenge them."""
    forced: bool = False
    """True if their only legal move is played for them."""
    listed: bool = True
    """True if they appear on global leaderboards. On those of their servers they always appear."""
    next_game: bool = True
    """True if they are told after a move that other games wait for them."""
    confirms: bool = False
    """True if they confirm a move that they press before it counts."""
    conditional: bool = True
    """True if they can enter answers to moves that others have not made yet."""
    computer: bool = False
    """True if a program plays for them. The operator sets this, not the member."""
    absent_since: datetime | None = None
    """The beginning of their last absence, or their early return from it; None before the first."""
    absent_until: datetime | None = None
    """The end of their last absence, until which the clocks of their lasting matches stand still. None if they came
    back early."""
    absent_before: timedelta = timedelta(0)
    """The time for which they were away before `absent_since` in the same calendar year."""

    def takes_no_challenges(self, now: datetime) -> bool:
        """Return True if they are away, or want no challenges at present."""
        return any(until is not None and until > now for until in (self.absent_until, self.away_until))


@dataclass(frozen=True, slots=True)
class Digest:
    """The daily message to a member whose notice is DIGEST."""

    user: DiscordId
    due_at: datetime
    """The time at which the next one is to be sent."""
    hour: int = 18
    """The hour of the day in their time zone, 0 to 23."""
    zone: str = "UTC"
    """The time zone: the name of one, or an offset such as `UTC+05:30`."""
    since: datetime | None = None
    until: datetime | None = None
    """The time that the last one covers; None before the first."""


class MemberChange(TypedDict, total=False):
    """The fields of a Member that are to change."""

    theme: str | None
    notice: Notice
    away_until: datetime | None
    forced: bool
    listed: bool
    next_game: bool
    confirms: bool
    conditional: bool
    computer: bool


ExportedRows = Mapping[str, Sequence[Mapping[str, object]]]
"""Rows by name of their table, each by names of its columns, with values that fit into JSON.

Discord ids are strings, as Discord itself writes them: many readers of JSON round large numbers.
"""


class StillNeeded(Exception):
    """The data of a member cannot be deleted yet: these open challenges and running matches need them (by id)."""

    def __init__(self, challenges: tuple[int, ...], matches: tuple[int, ...]) -> None:
        super().__init__(f"still in the challenges {challenges} and the matches {matches}")
        self.challenges = challenges
        self.matches = matches


LEVELS = range(1, MOST_LEVELS + 1)
"""From a beginner to the strongest; most games have fewer."""
COPIES = 5
"""Computer players of one level that can sit at one table; the largest table has so many seats beside a member's."""

_FIRST = 9000


def computer_player(level: int, copy: int = 0) -> DiscordId:
    """Return the id of the computer player of a level. Further copies are for tables with several of one level."""
    if level not in LEVELS or not 0 <= copy < COPIES:
        raise ValueError(f"There is no copy {copy} of a computer player of level {level}.")
    return _FIRST + 10 * copy + level


def level_of(user: DiscordId) -> int | None:
    """Return the level of a computer player; None for everybody else."""
    copy, level = divmod(user - _FIRST, 10)
    return level if 0 <= copy < COPIES and level in LEVELS else None


def copy_of(user: DiscordId) -> int:
    """Return which copy of its level a computer player is, from 0."""
    return (user - _FIRST) // 10


def is_computer(user: DiscordId) -> bool:
    """Return True if this id is that of a computer player."""
    return level_of(user) is not None


COMPUTER_PLAYERS = tuple(computer_player(level, copy) for copy in range(COPIES) for level in LEVELS)

TEAMS = VOTERS, HOSTS, GUESTS = _FIRST + 10, _FIRST + 20, _FIRST + 30
"""The players for whom members vote: those of one server against a computer player, or those of two servers.

No level has these numbers, which are between those of computer players.
"""


def is_person(user: DiscordId) -> bool:
    """Return True unless an id is that of a computer player or one of TEAMS."""
    return not COMPUTER_PLAYERS[0] <= user <= COMPUTER_PLAYERS[-1]


@dataclass(frozen=True, slots=True)
class Interest:
    """The wish of a member to be told of open challenges, and when they were told last."""

    user: DiscordId
    games: tuple[str, ...] = ()
    """Keys of games; empty means all games."""
    first_hour: int = 9
    """The hour in their time zone from which on they are told, 0 to 23."""
    end_hour: int = 22
    """The hour from which on they are not, 1 to 24. If it is not after `first_hour`, it is one of the next day."""
    zone: str = "UTC"
    """The time zone: the name of one, or an offset such as `UTC+05:30`."""
    most: int = 3
    """The most notifications of a day in their time zone."""
    guilds: tuple[DiscordId, ...] = ()
    """The servers of whose challenges they are told."""
    told_at: datetime | None = None
    told_on: date | None = None
    """The day in their time zone on which they were told last."""
    told: int = 0
    """The number of notifications on that day."""
