"""Matches: the stored record, the values to play and show a match, conditional moves, and the search in the history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from db.values.clocks import Clocks, Ticking, TimeControl, stopped_until
from db.values.members import Member, is_computer
from db.values.places import DiscordId, Place
from db.values.posts import Post
from db.values.servers import ServerSettings
from rules.core.game import Seat
from rules.core.match import Ply, Setup


@dataclass(frozen=True, slots=True)
class Award:
    """An achievement, by its key, that a seat earns by a match."""

    seat: Seat
    key: str


@dataclass(frozen=True, slots=True)
class Earned:
    """The match by which a member first earned an achievement, and where it was played."""

    user: DiscordId
    key: str
    match: int
    at: datetime
    game: str
    place: Place


NEAR = 2
"""The number of positions before the newest one whose keys are stored."""


class Outcome(StrEnum):
    """The result of a match for one seat."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Panel:
    """The message that shows a match, and how many plies it shows."""

    channel: DiscordId
    message: DiscordId
    plies: int


def viewer_of(users: Sequence[DiscordId]) -> DiscordId:
    """Return the member who plays a private match."""
    return next(user for user in users if not is_computer(user))


def panel_of(post: Post) -> Panel | None:
    """Return the message of a board in the outbox, or None if no message is posted."""
    return None if post.message is None else Panel(post.channel, post.message, post.progress)


@dataclass(frozen=True, slots=True)
class Turns:
    """The seats that are to act in a match, stored with each entry so that lists of matches need not read the log."""

    since: tuple[datetime | None, ...]
    """By seat: when the turn came to it; None for a seat that is not to act."""
    left: frozenset[Seat] = frozenset()
    """The seats that have left."""


@dataclass(frozen=True, slots=True)
class MatchContext:
    """The choices by which a match is played on and shown; read with the match."""

    members: tuple[Member, ...] = ()
    """By seat; empty in an exercise."""
    server: ServerSettings = field(default=ServerSettings(0))
    """The defaults in direct messages."""
    proposals: bool = False
    """True if anything was ever proposed in the match."""
    elsewhere: Mapping[DiscordId, tuple[int, ...]] = field(default_factory=dict)
    """By member: the other running matches in which they have a seat. Members who have none are left out, and all are
    if the match was read among others."""
    followers: int = 0
    """The number of members who follow the match."""
    variations: bool = False
    """True if members have entered conditional moves in the match."""
    copied: bool = False
    """True if the match is between two servers: its board is also posted in the other one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOptions:
    """The options of a match. They are stored with its challenge; its rematch and its second game have the same ones.

    Each field has a default and a column, which `OptionColumns` of db.models.matches makes of it.
    """

    time_control: TimeControl | None = None
    rated: bool = True
    """True if the players agreed that the result counts for their ratings."""
    games: int = 1
    """2 in both games of a two-game match, which is rated as one: the second begins when the first has a result."""
    private: bool = False
    """True if only the member who plays against computer players sees the board."""

    def by_name(self) -> dict[str, Any]:
        """Return the options by name, without the other fields of a subclass."""
        return {name: getattr(self, name) for name in OPTION_NAMES}


OPTION_NAMES = tuple(option.name for option in fields(MatchOptions))
USUAL_OPTIONS = MatchOptions()


@dataclass(frozen=True, slots=True)
class StoredMatch(MatchOptions):
    """A match as stored: its record, its players, its options, and where it is played and shown."""

    id: int
    setup: Setup
    version: int
    place: Place
    users: tuple[DiscordId, ...]
    """By seat."""
    log: tuple[Ply, ...]
    """All entries in order. An entry may say that earlier ones no longer count (bot.app.matches.loaded)."""
    salts: tuple[str | None, ...]
    """By entry of the log: the salt of its seal, or None if the entry is not sealed."""
    started_at: datetime
    finished_at: datetime | None
    outcomes: tuple[Outcome, ...] | None
    """By seat; None while the match goes on and if it has no result."""
    times: tuple[datetime, ...] = ()
    """By entry of the log: when it was played."""
    clocks: Clocks = ()
    void: str | None = None
    """The reason why the match was broken off or its result taken back. Such a match is finished without outcomes."""
    paused_until: datetime | None = None
    """The end of the last pause, until which no clock runs; None if a player has ended the pause."""
    hinted: frozenset[Seat] = frozenset()
    """The seats that took a hint. They earn no achievement by this match."""
    conditional: frozenset[int] = frozenset()
    """The indices of the entries of the log that their players had entered before the others moved."""
    leavers: tuple[DiscordId | None, ...] = ()
    """By seat: the member who left it before a computer player took it, or None. Empty if none did."""
    turns: Turns | None = None
    """The seats that are to act; None before the first entry, and in a match that an earlier version stored."""
    first: "StoredMatch | None" = None
    """In the second game of a two-game match: the first. Its players have swapped seats."""
    context: MatchContext = field(default=MatchContext(), compare=False, repr=False)
    """The default if it is no match of the store, but an exercise."""
    post: Post | None = field(default=None, compare=False, repr=False)
    """Its board in the outbox; None if it is no match of the store."""

    def stopped_until(self, seat: Seat) -> datetime | None:
        """Return the time until which the clock of a seat may not run, which may have passed, or None."""
        return stopped_until(self.time_control, self.paused_until, self.absent_until(seat))

    def absent_until(self, seat: Seat) -> datetime | None:
        """Return the end of the last absence of a player, which may have passed, or None."""
        members = self.context.members
        return members[seat].absent_until if members else None

    def back_at(self, seat: Seat) -> datetime | None:
        """Return when the last absence of a player ends or ended, also if they came back early, or None."""
        members = self.context.members
        return (members[seat].absent_until or members[seat].absent_since) if members else None

    def wakes_after(self, now: datetime) -> datetime | None:
        """Return when the next pause or absence of a player ends that is not over `now`, or None."""
        ends = [self.paused_until, *(self.absent_until(seat) for seat in range(len(self.users)))]
        return min((end for end in ends if end is not None and end > now), default=None)

    def listed(self, turns: Turns) -> "ListedMatch":
        """Return the match without its log."""
        clocks = self.clocks or (None,) * len(self.users)
        return ListedMatch(
            id=self.id,
            setup=self.setup,
            place=self.place,
            users=self.users,
            plies=len(self.log),
            started_at=self.started_at,
            rated=self.rated,
            panel=self.panel,
            deadlines=tuple(None if clock is None else clock.deadline for clock in clocks),
            turns=turns,
            copied=self.context.copied,
        )

    @property
    def panel(self) -> Panel | None:
        """The message that shows the match to everybody, or None."""
        return None if self.post is None or self.private else panel_of(self.post)

    def hidden_from(self, user: DiscordId) -> bool:
        """Return True if a member may not know of the match before it is over."""
        return self.place.viewer not in (None, user) and self.finished_at is None


@dataclass(frozen=True, slots=True)
class PositionKeys:
    """The keys that are stored of the position of a running match.

    `recent` holds the keys (`position_key` of rules.core.match) of the newest position and of up to NEAR before it, the
    newest first. `faced` holds by seat what its best move depends on (`faced` of rules.players.player), or None for a
    seat that is not on turn. It is empty where nobody may ask for that: without secret moves, and in casual matches.
    """

    recent: tuple[int, ...]
    faced: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A running match without its log."""

    id: int
    setup: Setup
    place: Place
    users: tuple[DiscordId, ...]
    """By seat."""
    plies: int
    started_at: datetime
    rated: bool
    panel: Panel | None
    deadlines: tuple[datetime | None, ...]
    """By seat: the end of its time, if its clock runs."""
    turns: Turns | None
    """None before the first entry, and until somebody asks in a match that an earlier version stored."""
    copied: bool = False
    """True if a board in another server shows the match, too."""


@dataclass(frozen=True, slots=True)
class ForgottenMatch:
    """A match without a clock that has waited for its players since its last entry, and the stage that it has reached.

    The stages are those of `bot.app.matches.forgotten`.
    """

    match: int
    plies: int
    since: datetime
    stage: int


@dataclass(frozen=True, slots=True)
class MatchKeys:
    """The keys at which running matches stand now, and those at which they stood at most NEAR plies ago."""

    now: frozenset[int]
    lately: frozenset[int]


@dataclass(frozen=True, slots=True)
class Beginning:
    """The start of a game: the version of its rules, its clocks by seat, and the keys of its position, if known."""

    version: int
    clocks: Clocks = ()
    position: PositionKeys | None = None


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to be appended to the log of a match."""

    ply: Ply
    at: datetime
    salt: str | None = None
    """The salt of the seal, if the entry is sealed."""
    ticking: Ticking | None = None
    """The change of the clocks, if the match has any."""
    turns: Turns | None = None
    """The seats that are to act next."""
    position: PositionKeys | None = None
    """The keys of the position after the entry, if known."""
    conditional: bool = False
    """True if the player had entered it before the others moved."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a match with a result."""

    outcomes: Sequence[Outcome]
    """By seat."""
    awards: Sequence[Award] = ()
    """The achievements that the finished match proves."""
    ranks: Sequence[int] | None = None
    """By seat, from 1, equal for shared ranks; None if the result does not count for the ratings. In the second game of
    two these are the ranks in both together; they count only if the first still has its result."""
    then: Beginning | None = None
    """The second game, which begins by this, if and only if the match is the first of two."""


class MovedOn(Exception):
    """The match is no longer at the ply that the change was made for; nothing was stored."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search for finished matches of a server, or of the direct messages in a `channel`; None does not narrow.

    `outcome` is the result for `member`, and `opponent` played in the same match: both need a `member`.
    """

    guild: DiscordId | None
    game: str | None = None
    member: DiscordId | None = None
    opponent: DiscordId | None = None
    outcome: Outcome | None = None
    channel: DiscordId | None = None

    @classmethod
    def near(
        cls,
        place: Place,
        game: str | None = None,
        member: DiscordId | None = None,
        opponent: DiscordId | None = None,
        outcome: Outcome | None = None,
    ) -> Self:
        """Return a search for the matches that may be seen from a place."""
        return cls(
            place.guild, game, member, opponent, outcome, place.channel if place.guild is None else None
        )

    def __post_init__(self) -> None:
        if (self.guild is None) == (self.channel is None):
            raise ValueError("A search needs either a server or a channel of direct messages.")
        if self.member is None and (self.opponent is not None or self.outcome is not None):
            raise ValueError("A search for an opponent or an outcome needs a member.")


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match without its log."""

    id: int
    game: str
    finished_at: datetime
    users: tuple[DiscordId, ...]
    """By seat."""
    outcomes: tuple[Outcome, ...] | None
    """By seat; None if it has no result."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of finished matches, the newest first. `newer` and `older` are True if there are more on that side."""

    matches: tuple[StoredMatch, ...]
    newer: bool
    older: bool


@dataclass(frozen=True, slots=True)
class Variation:
    """A sequence of moves that a member foresees in a running match: moves of others, and the member's answers.

    The moves are canonical texts. The first one is to be made when the log of the match has `plies` entries.
    """

    id: int
    match: int
    user: DiscordId
    plies: int
    moves: tuple[str, ...]


class VariationsChanged(Exception):
    """The member has other variations in the match than those that were read; nothing was stored."""
