"""Matches: the stored record and the queries to play, show and find matches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from db.api.achievements import Award
from db.api.clocks import Clocks, Ticking, TimeControl
from db.api.members.members import Member
from db.api.places import DiscordId, Place
from db.api.posts import Post
from db.api.servers import ServerSettings
from rules.core.game import Seat
from rules.core.match import Ply, Setup

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
class Surroundings:
    """The choices by which a match is played on and shown; read with the match."""

    members: tuple[Member, ...]
    """By seat."""
    server: ServerSettings
    """The defaults in direct messages."""
    proposals: bool
    """True if anything was ever proposed in the match."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as stored: its record, its players, and where it is played and shown."""

    id: int
    setup: Setup
    version: int
    place: Place
    users: tuple[DiscordId, ...]
    """By seat."""
    log: tuple[Ply, ...]
    """All entries in order. An entry may say that earlier ones no longer count (bot.app.matches.table)."""
    salts: tuple[str | None, ...]
    """By entry of the log: the salt of its seal, or None if the entry is not sealed."""
    started_at: datetime
    finished_at: datetime | None
    outcomes: tuple[Outcome, ...] | None
    """By seat; None while the match goes on and if it has no result."""
    times: tuple[datetime, ...] = ()
    """By entry of the log: when it was played."""
    time_control: TimeControl | None = None
    clocks: Clocks = ()
    void: str | None = None
    """The reason why the match was broken off or its result taken back. Such a match is finished without outcomes."""
    rated: bool = True
    """True if the players agreed that the result counts for their ratings."""
    games: int = 1
    """2 in both games of a two-game match, which is rated as one: the second begins when the first has a result."""
    hinted: frozenset[Seat] = frozenset()
    """The seats that took a hint. They earn no achievement by this match."""
    turns: Turns | None = None
    """The seats that are to act; None before the first entry, and in a match that an earlier version stored."""
    first: "StoredMatch | None" = None
    """In the second game of a two-game match: the first. Its players have swapped seats."""
    around: Surroundings | None = field(default=None, compare=False, repr=False)
    """None if the match was found among others, by a search."""
    post: Post | None = field(default=None, compare=False, repr=False)
    """Its board in the outbox; None if the match was found among others, by a search."""

    @property
    def panel(self) -> Panel | None:
        """The message that shows the match, or None."""
        return None if self.post is None else panel_of(self.post)


@dataclass(frozen=True, slots=True)
class PositionKeys:
    """What is stored of the position of a running match.

    `recent` holds the keys (`position_key` of rules.core.match) of the newest position and of up to NEAR before it, the
    newest first. `faced` holds by seat what its best move depends on (`faced` of rules.players.player), or None for a
    seat that is not on turn. It is empty where nobody may ask for that: without secret moves, and in casual matches.
    """

    recent: tuple[int, ...]
    faced: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class SecondGame:
    """The beginning of the second game of a two-game match: the version of its rules, its clocks by seat, its keys."""

    version: int
    clocks: Clocks = ()
    position: PositionKeys | None = None


class MovedOn(Exception):
    """The match is no longer at the ply that the change was made for; nothing was stored."""


class MatchStore(Protocol):
    """Matches: played, shown, found again."""

    async def load(self, match: int) -> StoredMatch | None:
        """Return the match with this id and its surroundings, or None."""

    def recall(self, match: int) -> StoredMatch | None:
        """Return a match as this process has last read or changed it, which may be out of date, or None.

        `append` raises MovedOn if anything was played since, by this process or another.
        """

    def forget_matches(self, stale: Callable[[StoredMatch], bool]) -> None:
        """Forget those of the matches that `recall` returns of which `stale` is true."""

    async def append(
        self,
        match: int,
        plies: int,
        ply: Ply,
        at: datetime,
        outcomes: Sequence[Outcome] | None,
        salt: str | None = None,
        ticking: Ticking | None = None,
        proposal: int | None = None,
        awards: Sequence[Award] = (),
        ranks: Sequence[int] | None = None,
        then: SecondGame | None = None,
        turns: Turns | None = None,
        position: PositionKeys | None = None,
    ) -> StoredMatch:
        """Append `ply` to a match that has `plies` plies. Return the match as it then stands, with its surroundings.

        - `outcomes`: by seat, if the ply ends the match.
        - `salt`: of the seal, if the ply is sealed.
        - `ticking`: the change of the clocks, if the match has any.
        - `proposal`: the id of a proposal in this match that the ply carries out; it is accepted with it.
        - `awards`: the achievements that the finished match proves.
        - `ranks`: by seat, from 1, equal for shared ranks, if the result counts for the ratings. In the second game of
          two these are the ranks in both together; they count only if the first still has its result.
        - `then`: the second game, which begins by this, if and only if the ply ends the first of two.
        - `turns`: who is to act next.
        - `position`: the keys of the position after it; they are unknown without this.

        Raises MovedOn if the match has another number of plies or is over, ClocksMoved if its clocks are not as in
        `ticking.before`, and Settled if the proposal is no longer open.
        """

    async def break_off(self, match: int, plies: int, ply: Ply, at: datetime, reason: str) -> None:
        """End a match that has `plies` plies without a result; `ply` records it in the log.

        Raises MovedOn if the match has another number of plies or is over.
        """

    async def void(self, match: int, at: datetime, reason: str) -> None:
        """Take back the result of a finished match, with its achievements and its changes of ratings.

        Ratings that depend on many later matches are recomputed later (`RatingStore.recompute_ratings`).
        A two-game match then changes no ratings: neither those that it has changed already, nor later.
        Raises MovedOn if the match is not over or has no result.
        """

    async def take_hint(self, match: int, plies: int, seat: Seat) -> None:
        """Note that a seat takes a hint in a match that has `plies` plies; for good.

        Raises MovedOn if the match has another number of plies or is over.
        """

    async def second_game(self, match: int) -> int | None:
        """Return the id of the game that followed a match as the second of two, or None."""

    async def move(self, match: int, channel: DiscordId, home: DiscordId | None) -> None:
        """Move a match to another channel of its server. `home` is the channel that it belongs to if it is a thread."""

    async def running(
        self,
        *,
        user: DiscordId | None = None,
        channel: DiscordId | None = None,
        guild: DiscordId | None = None,
    ) -> list[StoredMatch]:
        """Return the matches that are not over, the oldest first. Each argument that is given narrows the search."""
