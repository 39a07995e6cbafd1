"""Lists of running matches: read from a few columns, whatever was played, so that they cost the same in long games."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from db.api.matches.matches import Panel, Turns
from db.api.places import DiscordId, Place
from rules.core.match import Setup


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
    panel: Panel | None
    deadlines: tuple[datetime | None, ...]
    """By seat: the end of its time, if its clock runs."""
    turns: Turns | None
    """None before the first entry, and until somebody asks in a match that an earlier version stored."""


class MatchListStore(Protocol):
    """Lists of running matches."""

    async def listed(
        self,
        *,
        users: Collection[DiscordId] | None = None,
        channel: DiscordId | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> list[ListedMatch]:
        """Return the matches that are not over, the oldest first: those in which any of `users` plays, in a channel.

        Each argument that is given narrows the search. At most `limit` matches are returned. With `after`, they are
        ordered by their ids, which are higher.
        """

    async def running_in(self, channel: DiscordId) -> list[tuple[int, str]]:
        """Return the id and the game of each match that is played in a channel, the oldest first."""

    async def note_turns(self, match: int, plies: int, turns: Turns) -> None:
        """Remember whose turn it is in a match; nothing is stored unless it has `plies` plies."""
