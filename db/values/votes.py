"""Vote games: games in which the members of a server vote for each of its moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from db.values.places import DiscordId, Place
from rules.core.game import Seat


@dataclass(frozen=True, slots=True)
class VoteTerms:
    """The terms of a vote game: a vote ends at `first_at`, and then at each `every` after it.

    Ends that are hours apart keep the time of day of `zone`, a name that `zone_of` reads.
    With `named` the board says who votes for what; otherwise only how many do.
    """

    every: timedelta
    first_at: datetime
    named: bool
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Invitation:
    """An offer of a vote game by a server to another one whose manager enters the code."""

    code: str
    place: Place
    game: str
    terms: VoteTerms
    made_at: datetime


@dataclass(frozen=True, slots=True)
class VoteGame:
    """A vote game as stored. `due_at` is the end of the vote, or of the last one until the next is stored.

    `due_at` is None once a round has found the game over.
    `extended` is True if the vote lasts longer because nobody had voted by its end.
    """

    match: int
    terms: VoteTerms
    due_at: datetime | None
    extended: bool


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote for a move, by its canonical text."""

    user: DiscordId
    move: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Volunteer:
    """A member who offers to play the secret moves of a seat in a phase of a vote game.

    One is drawn by lot at `drawn_at`, and plays until `out_at`: until another one is drawn, or hints are played. Both
    are None for a member who was not drawn, and `out_at` for the one who plays.
    """

    user: DiscordId
    seat: Seat
    phase: str
    drawn_at: datetime | None = None
    out_at: datetime | None = None


def drawn(volunteers: Sequence[Volunteer], seat: Seat, phase: str) -> Volunteer | None:
    """Return the volunteer who was drawn for a seat in a phase, and was not replaced; None if there is none."""
    found = (it for it in volunteers if (it.seat, it.phase) == (seat, phase))
    return next((it for it in found if it.drawn_at is not None and it.out_at is None), None)


class VoteOver(Exception):
    """The match has moved on, the time for votes is over, or the invitation is gone; nothing was stored."""
