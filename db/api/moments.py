"""Moments of finished games: positions that are puzzles (rules.puzzles.moments), found by background searches."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from db.api.places import DiscordId
from rules.core.game import Seat
from rules.puzzles.moments import Moment


@dataclass(frozen=True, slots=True)
class StoredMoment:
    """A moment of a match of a server: `user`, who sat on `seat`, was to move after `ply` moves and played `played`.

    `game` is the key of the game. `line`, `value` and `plies` are those of the puzzle (rules.puzzles.puzzle). `worth`
    compares moments with each other.
    """

    match: int
    ply: int
    seat: Seat
    user: DiscordId
    game: str
    played: str
    line: tuple[str, ...]
    value: float
    plies: int
    worth: int

    @property
    def found(self) -> bool:
        """True if the only move was played."""
        return self.played == self.line[0]


class MomentStore(Protocol):
    """The games that were searched for moments, and the moments that were found.

    The moments of a match go with its result, those of a member with their data.
    """

    async def to_search(
        self, games: Collection[str], since: datetime, until: datetime, limit: int
    ) -> Sequence[int]:
        """Return the ids of matches that finished in this time and were not searched yet, the last first.

        At most `limit`. Only matches of these games between two players in servers, with a result that was not taken
        back and players who have not had their data deleted, are searched.
        """

    async def keep_moments(self, match: int, moments: Sequence[Moment]) -> None:
        """Note that a match was searched, with its moments. Nothing is kept if it was searched before.

        Moments of a match whose result was taken back, or of a former member, are not kept.
        """

    async def moment(self, match: int, ply: int) -> StoredMoment | None:
        """Return the moment of a match after so many moves, or None."""

    async def moments_of(self, match: int) -> list[StoredMoment]:
        """Return the moments of a match, in the order of the game."""

    async def newest_moments(self, guild: DiscordId, limit: int) -> list[StoredMoment]:
        """Return at most `limit` moments of a server's matches, those of the newest match first."""

    async def best_moments(
        self, guild: DiscordId, since: datetime, until: datetime, limit: int
    ) -> list[StoredMoment]:
        """Return at most `limit` moments of a server's matches that finished in this time, the worthiest first."""
