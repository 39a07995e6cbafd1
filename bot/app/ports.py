"""What the application needs from outside. db and __main__ provide it; tests may provide their own."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Protocol, Unpack

from db.values import (
    Answer,
    Award,
    Bygone,
    Challenge,
    Change,
    Clocks,
    DiscordId,
    Duels,
    Earned,
    Era,
    Erased,
    Guild,
    GuildChange,
    Mark,
    Matter,
    Member,
    MemberChange,
    NewChallenge,
    NewProposal,
    Outcome,
    Page,
    Panel,
    Place,
    Profile,
    Proposal,
    Rating,
    Reminder,
    Search,
    Standings,
    StoredMatch,
    Tables,
    Ticking,
    Turn,
)
from rules.core.game import Seat
from rules.core.match import Ply


class Clock(Protocol):
    def now(self) -> datetime:
        """The time, aware, in UTC."""


class Chance(Protocol):
    def shuffled(self, users: Sequence[DiscordId]) -> tuple[DiscordId, ...]:
        """The same users in random order: who sits where."""

    def pick(self, weights: Sequence[int]) -> int:
        """An index, each as likely as its weight: what chance does in a game."""

    def salt(self) -> str:
        """128 random bits as 32 hexadecimal digits, to seal a move with."""


class ChallengeStore(Protocol):
    """Challenges, until they become matches."""

    async def add_challenge(self, new: NewChallenge) -> Challenge:
        """Store an open challenge. Raises Rematched: a match is played again once."""

    async def challenge(self, challenge: int) -> Challenge | None: ...

    async def rematch(self, match: int) -> Challenge | None:
        """The challenge to play a match again, however it stands."""

    async def challenges(
        self, *, user: DiscordId | None = None, place: Place | None = None
    ) -> list[Challenge]:
        """Open challenges that concern `user`, or in the channel of `place`, oldest first; both narrow."""

    async def made_by(self, challenger: DiscordId, since: datetime) -> list[Challenge]:
        """Challenges of `challenger` that are open or were closed at `since` or later, oldest first."""

    async def show_challenge(self, challenge: int, message: DiscordId) -> None:
        """Remember the message that shows a challenge."""

    async def accept(
        self,
        before: Challenge,
        after: Challenge,
        users: Sequence[DiscordId],
        version: int,
        at: datetime,
        clocks: Clocks = (),
    ) -> StoredMatch:
        """Turn an open challenge that stands as `before` into a match, `users` and `clocks` by seat.

        It then stands as `after`, accepted. Raises Answered.
        """

    async def change(self, before: Challenge, after: Challenge, at: datetime) -> None:
        """Let an open challenge that stands as `before` stand as `after`, open or closed. Raises Answered."""

    async def expire(self, at: datetime) -> list[Challenge]:
        """Close every open challenge whose time is over, and answer those just closed."""


class MatchStore(Protocol):
    """Matches: played, shown, found again."""

    async def load(self, match: int) -> StoredMatch | None: ...

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
    ) -> None:
        """Append `ply` to a match that has `plies` plies; `outcomes` by seat if it ends the match.

        `salt` is what it is sealed with, if it is; `ticking` what it does to the clocks, if there are any; `proposal`
        what it carries out of what was proposed in this match, which is accepted with it; `awards` what the match
        proves now that it is over; `ranks` the places by seat, from 1, equal where one is shared, if the result changes
        the ratings of the players.

        Raises MovedOn when the match has another number of plies, or is over, ClocksMoved when its clocks do not stand
        as before, and Settled when the proposal is not open any more.
        """

    async def break_off(self, match: int, plies: int, ply: Ply, at: datetime, reason: str) -> None:
        """End a match that has `plies` plies without outcomes; `ply` says so in its log. Raises MovedOn like append."""

    async def void(self, match: int, at: datetime, reason: str) -> None:
        """Take back the result of a finished match: nobody has won it, earned anything by it or been rated for it.

        Raises MovedOn when it is not over, or has no result any more.
        """

    async def move(self, match: int, channel: DiscordId, home: DiscordId | None) -> None:
        """From now on a match is played in this channel of the same server, or in this thread of the channel `home`."""

    async def show(self, match: int, panel: Panel) -> None:
        """Remember the message that shows a match."""

    async def running(
        self,
        *,
        user: DiscordId | None = None,
        channel: DiscordId | None = None,
        guild: DiscordId | None = None,
    ) -> list[StoredMatch]:
        """Matches that are not over, narrowed by whatever is given, oldest first."""

    async def unshown(self, channel: DiscordId | None = None) -> list[StoredMatch]:
        """Matches whose panel is missing or shows fewer plies than were played (finished ones too).

        Those in servers, or those in this channel.
        """


class TidingStore(Protocol):
    """Matches whose end, or whose result being taken back, a server has still to be told of."""

    async def untold(self) -> list[int]:
        """The matches of which something has to be told, the one that has waited longest first."""

    async def untold_since(self, match: int) -> datetime | None:
        """Since when something of a match has to be told; None if nothing has."""

    async def told(self, match: int, since: datetime) -> None:
        """What was to be told of a match since then has been; what has happened later still waits."""


class AwardStore(Protocol):
    """Who has earned what, and by which match."""

    async def first_awards(self, user: DiscordId, keys: Collection[str]) -> list[Earned]:
        """For each of these achievements that a member has earned, the match by which they did so first."""

    async def new_awards(self, match: int) -> list[Earned]:
        """What members have earned by a match for the first time."""

    async def ended(self, after: int, limit: int) -> list[StoredMatch]:
        """At most `limit` finished matches with higher ids than `after`, in the order of their ids."""

    async def award_again(self, match: int, awards: Sequence[Award]) -> None:
        """Let a finished match prove just these achievements; one that was declared void proves none."""


class HistoryStore(Protocol):
    """Finished matches, found again."""

    async def finished(
        self, search: Search, limit: int, *, mark: int | None = None, newer: bool = False
    ) -> Page:
        """At most `limit` finished matches, those that finished last first.

        With `mark`, the id of a match, those that come right after it in this order, or (`newer`) right before it.
        """


class ClockStore(Protocol):
    """The running clocks of all matches."""

    async def alive(self, at: datetime, patience: timedelta) -> Sequence[int]:
        """Say that the host is there at `at`.

        If nobody has said so for longer than `patience`, the time since is given back to all clocks that run; the ids
        of their matches are answered.
        """

    async def out_of_time(self, at: datetime) -> Sequence[int]:
        """The ids of running matches in which the time of a seat is over, the one that ended first in front."""

    async def take_reminders(self, at: datetime) -> Sequence[Reminder]:
        """The reminders that are due, each answered once and for all."""

    async def next_due(self) -> datetime | None:
        """When the next clock comes to its end or its reminder."""


class ProposalStore(Protocol):
    """What the players of a running match may agree on."""

    async def propose(self, new: NewProposal, plies: int) -> Proposal:
        """Store an open proposal in a match that has `plies` plies.

        Raises MovedOn like `append`, and Proposed when one of this matter is open.
        """

    async def proposal(self, proposal: int) -> Proposal | None: ...

    async def open_proposals(
        self, match: int | None = None, *, user: DiscordId | None = None
    ) -> list[Proposal]:
        """The open ones of a match, of the matches that `user` plays, or of all, oldest first."""

    async def last_proposal(self, match: int, matter: Matter, seat: Seat) -> Proposal | None:
        """The newest one that a seat has made, however it stands."""

    async def show_proposal(self, proposal: int, channel: DiscordId, message: DiscordId) -> None:
        """Remember the message that shows a proposal."""

    async def agree(self, proposal: int, seat: Seat, at: datetime) -> Proposal:
        """A seat says yes to an open proposal; once more changes nothing. Raises Settled."""

    async def settle(self, proposal: int, answer: Answer, at: datetime) -> Proposal:
        """Close an open proposal that is not carried out. Raises Settled."""


class RatingStore(Protocol):
    """What matches have made of their players' ratings."""

    async def ratings(self, user: DiscordId) -> list[Rating]:
        """Where a member stands, on every board that they are on, by server, period and game."""

    async def rating_changes(self, match: int) -> tuple[Change, ...] | None:
        """How a match changed the ratings of its players in its game and server, by seat; None if it did not."""


class BygoneStore(Protocol):
    """Leaderboards of weeks and months that are over."""

    async def bygone(self, at: datetime) -> Sequence[Bygone]:
        """What is kept at `at` of leaderboards that nothing shows any more: of months and weeks before the last one."""

    async def let_go(self, boards: Bygone, limit: int) -> int:
        """Delete some rows of these boards, `limit` of each kind at most; how many these were."""


class LeaderboardStore(Protocol):
    """Who stands where."""

    async def leaderboard(
        self,
        game: str | None,
        guild: DiscordId | None,
        era: Era,
        at: datetime,
        viewer: DiscordId,
        limit: int,
        turn: Turn = Turn.FIRST,
        mark: Mark = (0, 0),
    ) -> Standings:
        """A page of at most `limit` rows of a board: of a game or (None) all together, of a server or everywhere.

        `turn` says which page: the rows right before or after `mark`, or with `viewer` in their middle. Where that is
        beyond an end of the board it is the page at that end.
        """


class ProfileStore(Protocol):
    """How members have fared."""

    async def profile(
        self, user: DiscordId, game: str | None, guild: DiscordId | None, games: Sequence[str]
    ) -> Profile:
        """What a member holds in a server or (None) everywhere, on the board of a game or (None) of all together.

        `games` are the keys of all games that there are.
        """

    async def duels(self, one: DiscordId, other: DiscordId, guild: DiscordId | None) -> Duels:
        """How two members have fared against each other, in all rated games that count everywhere or in `guild`."""


class MemberStore(Protocol):
    """The choices of members, and whom they want no games with."""

    async def member(self, user: DiscordId) -> Member:
        """The choices of a member, or the defaults."""

    async def members(self, users: Collection[DiscordId]) -> list[Member]:
        """The choices of those of `users` who have chosen something, by id."""

    async def change_member(self, user: DiscordId, **changes: Unpack[MemberChange]) -> None:
        """Change these choices of a member and leave the others."""

    async def block(self, user: DiscordId, blocked: DiscordId, at: datetime) -> None:
        """From now on `user` wants no games with `blocked`; blocking again renews it."""

    async def unblock(self, user: DiscordId, blocked: DiscordId) -> bool:
        """Take a block back; whether there was one."""

    async def blocked(self, user: DiscordId) -> list[DiscordId]:
        """Whom `user` has blocked, in the order of blocking."""

    async def blockers(self, user: DiscordId, others: Collection[DiscordId]) -> list[DiscordId]:
        """Those of `others` who have blocked `user`, by id."""


class GuildStore(Protocol):
    """The settings of servers."""

    async def guild(self, guild: DiscordId) -> Guild:
        """The settings of a server, or the defaults."""

    async def change_guild(self, guild: DiscordId, **changes: Unpack[GuildChange]) -> None:
        """Change these settings of a server and leave the others."""

    async def podiums_due(self, season: str) -> list[DiscordId]:
        """The servers that want the podium of this season announced and have not had it yet, by id."""

    async def podium_told(self, guild: DiscordId, season: str) -> None:
        """The podium of this season, and of those before it, has been announced there."""


class AlertStore(Protocol):
    """When those who run a server were last alerted about one of its channels."""

    async def alert(self, guild: DiscordId, channel: DiscordId, at: datetime, since: datetime) -> bool:
        """Remember an alert at `at`, unless there was one after `since`; whether there was none."""


class PrivacyStore(Protocol):
    """All that is kept of one member."""

    async def kept(self, user: DiscordId) -> Tables:
        """Every row that concerns a member and is no other's secret; tables that have none are left out."""

    async def erase(self, user: DiscordId) -> Erased:
        """Delete what is kept of a member; of what others share with them, only that it was they.

        Raises Entangled while there are open challenges or running matches that they have not left.
        """


class DepartureStore(Protocol):
    """Servers that the host has left."""

    async def servers(self) -> Sequence[DiscordId]:
        """Every server of which anything is kept."""

    async def depart(self, guild: DiscordId, at: datetime) -> None:
        """The host is not in a server any more; one that it has left before it left then."""

    async def come_back(self, guild: DiscordId) -> None:
        """The host is in a server again, or has never left it."""

    async def departed(self, before: datetime) -> Sequence[DiscordId]:
        """The servers that the host left at `before` or earlier, the longest ago first."""

    async def forget_server(self, guild: DiscordId, before: datetime) -> bool:
        """Delete all that is kept of a server that the host left at `before` or earlier; whether this was done here."""


class Store(
    AlertStore,
    AwardStore,
    ChallengeStore,
    ClockStore,
    HistoryStore,
    MatchStore,
    TidingStore,
    ProposalStore,
    RatingStore,
    BygoneStore,
    LeaderboardStore,
    ProfileStore,
    MemberStore,
    GuildStore,
    PrivacyStore,
    DepartureStore,
    Protocol,
):
    """Everything that outlives the process. Each method is one transaction."""
