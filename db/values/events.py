"""Events: cups, months of leagues and matches between two servers, with entrants, stages, deeds and titles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from db.values.clocks import TimeControl
from db.values.matches import Beginning, Outcome
from db.values.members import is_computer
from db.values.places import DiscordId, Place, former

NOBODY: DiscordId = -1
"""The organiser of a league: a number below zero, as for a member whose data is deleted."""


class EventState(StrEnum):
    """The state of an event."""

    OPEN = "open"
    """Members can join."""
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"
    """It was closed before it started."""


class Correction(StrEnum):
    """The result of a game in a table, in place of the result that the game had."""

    FIRST = "first"
    """The player who moved first won."""
    DRAWN = "drawn"
    SECOND = "second"
    NONE = "none"
    """The game does not count."""


class Deed(StrEnum):
    """Something that changed an event otherwise than by a game. Each deed is announced in the message of the event."""

    STARTED = "started"
    """A member started it early."""
    LEFT = "left"
    """A player left a running event."""
    REMOVED = "removed"
    """A member removed a player."""
    ABSENT = "absent"
    """A player was removed because they made no move."""
    LATE = "late"
    """A member allowed late players to join."""
    JOINED = "joined"
    """A player joined a running event."""
    CORRECTED = "corrected"
    """A member corrected the result of a game."""
    ENDED = "ended"
    """A member ended the event."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of all games of an event. `computers` is the level of those who take free seats; 0 for none."""

    game: str
    options: tuple[tuple[str, int], ...]
    time_control: TimeControl | None
    rated: bool
    most: int
    """The number of entrants with whom it is full."""
    computers: int = 0


@dataclass(frozen=True, slots=True)
class Versus:
    """What an event has as a match between two servers. The server of its place is the host, the other one the guest.

    `games` is the number of games on each board. `code` lets another server accept, which then is at `place`.
    """

    games: int
    code: str | None = None
    place: Place | None = None
    message: DiscordId | None = None
    """The message that shows the event to the guests, once posted."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be stored. It starts at `starts_at` or, if that is None, when it is full.

    An event that has not started by `due_at` is closed or started then.
    """

    place: Place
    organiser: DiscordId
    terms: Terms
    starts_at: datetime | None
    due_at: datetime
    made_at: datetime
    season: str | None = None
    """The month of a league, such as `2026-12`; None for a cup. A league has no organiser, but NOBODY."""
    versus: Versus | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """An event as the limits of a server count it; `most` is the number of entrants with whom it is full."""

    id: int
    organiser: DiscordId
    state: EventState
    channel: DiscordId
    most: int
    game: str
    season: str | None = None
    games: int | None = None
    """The number of games on each board of a match between servers; None for other events."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of an event; `number` counts them in the order of joining, from 0.

    The games of an entrant who left early are `annulled`: they do not count in the table.
    """

    number: int
    user: DiscordId
    left_at: datetime | None = None
    annulled: bool = False
    guest: bool = False
    """True if they play for the guests of a match between servers."""

    @property
    def present(self) -> bool:
        """Return True if the entrant plays in the next stage, too."""
        return self.left_at is None and not former(self.user)


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of an event in which all games begin together; they are over at `ends_at` at the latest."""

    number: int
    started_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game of a stage. `first` and `second` are the numbers of its entrants by seat.

    `running` is False once its match is over; `outcome` is the result of the first, None while it has none.
    """

    stage: int
    group: int
    first: int
    second: int
    match: int
    running: bool
    outcome: Outcome | None
    corrected: Correction | None = None


@dataclass(frozen=True, slots=True)
class StoredDeed:
    """A deed. `by` is None if nobody did it, or if the data of that member was deleted; `whom` likewise."""

    number: int
    deed: Deed
    at: datetime
    by: DiscordId | None = None
    whom: DiscordId | None = None
    match: int | None = None
    corrected: Correction | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """An event as stored. `version` is raised with every change, also when one of its games ends.

    `late` is True while members may join although it runs. `message` is the message that shows it, once posted.
    """

    id: int
    place: Place
    organiser: DiscordId
    terms: Terms
    state: EventState
    version: int
    starts_at: datetime | None
    due_at: datetime
    made_at: datetime
    late: bool
    entrants: tuple[Entrant, ...]
    stages: tuple[Stage, ...]
    pairings: tuple[Pairing, ...]
    deeds: tuple[StoredDeed, ...]
    message: DiscordId | None = None
    season: str | None = None
    versus: Versus | None = None

    @property
    def noun(self) -> str:
        """The kind of the event in sentences."""
        if self.versus is not None:
            return "match"
        return "cup" if self.season is None else "league"

    @property
    def present(self) -> tuple[Entrant, ...]:
        """The entrants who have not left."""
        return tuple(it for it in self.entrants if it.present)

    @property
    def users(self) -> dict[int, DiscordId]:
        """The players by number, with those who have left."""
        return {it.number: it.user for it in self.entrants}

    @property
    def next_number(self) -> int:
        """The number of the next entrant."""
        return 1 + max(self.users, default=-1)

    @property
    def members(self) -> tuple[DiscordId, ...]:
        """The members who play in the event and have not left."""
        return tuple(it.user for it in self.present if not is_computer(it.user))

    @property
    def ended(self) -> bool:
        """Return True if a member ended the event, whose games end then."""
        return any(it.deed is Deed.ENDED for it in self.deeds)

    def entrant(self, user: DiscordId) -> Entrant | None:
        """Return the entry of a member who has not left, or None."""
        return next((it for it in self.present if it.user == user), None)

    @property
    def boards(self) -> int:
        """The most boards of a match between servers."""
        return self.terms.most // 2

    @property
    def servers(self) -> tuple[DiscordId, ...]:
        """The servers of the event: of a match both, once the other one has accepted it."""
        places = (self.place, None if self.versus is None else self.versus.place)
        return tuple(it.guild for it in places if it is not None and it.guild is not None)

    def near(self, place: Place) -> bool:
        """Return True if the event is at home in the server of a place."""
        guests = None if self.versus is None else self.versus.place
        return self.place.near(place) or (guests is not None and guests.near(place))

    @property
    def newest(self) -> tuple[Pairing, ...]:
        """The games of the newest stage; none before the first."""
        return self.of_stage(len(self.stages) - 1)

    def of_stage(self, stage: int) -> tuple[Pairing, ...]:
        return tuple(it for it in self.pairings if it.stage == stage)


@dataclass(frozen=True, slots=True)
class NewPairing:
    """A game to be begun, with its entrants by seat."""

    group: int
    first: int
    second: int
    rated: bool
    begun: Beginning


WORN = timedelta(days=31)
"""The time for which the role of a title is held."""


class TitleKind(StrEnum):
    """The kinds of titles."""

    CHAMPION = "champion"
    """The winner of the first division of a league's month."""
    CUP = "cup"
    """The winner of a cup."""
    DIVISION = "division"
    """The winner of another division."""
    PUZZLES = "puzzles"
    """Somebody who has solved the puzzle of the day on thirty days in a row; the key is the first of these days."""
    FINISHER = "finisher"
    """Somebody who has finished the most games of a month, and lost none on time; the key is the month."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title. Of an event the `key` is its id, and `game` and `season` are those of the event."""

    user: DiscordId
    kind: TitleKind
    key: str
    at: datetime
    event: int | None = None
    game: str | None = None
    season: str | None = None


@dataclass(frozen=True, slots=True)
class RoleChange:
    """A role that is to be given for a title, or taken away.

    `held` is the role that Discord has confirmed, and `give` is None if it is taken away.
    """

    guild: DiscordId
    user: DiscordId
    kind: TitleKind
    key: str
    held: DiscordId | None
    give: DiscordId | None


@dataclass(frozen=True, slots=True)
class EventChange:
    """The changes of an event in one transaction. Fields with their default change nothing."""

    state: EventState | None = None
    due_at: datetime | None = None
    late: bool | None = None
    guests: Place | None = None
    """The place of the server that accepts a match; its code is no longer valid then."""
    joined: Sequence[Entrant] = ()
    withdrawn: Sequence[int] = ()
    """The numbers of entrants who are deleted: they leave before the start."""
    left: Sequence[Entrant] = ()
    """Entrants as they are after they have left."""
    stage: Stage | None = None
    """A stage that begins, with `pairings`; None if these belong to the stage that runs."""
    pairings: Sequence[NewPairing] = ()
    corrected: Sequence[Pairing] = ()
    """Pairings as they are after a correction."""
    titles: Mapping[TitleKind, Sequence[DiscordId]] | None = None
    """The titles of an event that is over; None changes nothing."""
    deeds: Sequence[StoredDeed] = ()
    """Deeds, whose numbers do not count."""

    @property
    def shown(self) -> bool:
        """Return True if the message of the event changes."""
        return self != EventChange(due_at=self.due_at)


class EventChanged(Exception):
    """The event has changed since it was read; nothing was stored."""
