"""The history: finished matches, found again."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from db.values.matches.matches import Outcome, StoredMatch
from db.values.places import DiscordId, Place


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
        """A search for the matches that may be seen from a place."""
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
    """Some finished matches, the newest first. `newer` and `older` are True if there are more on that side."""

    matches: tuple[StoredMatch, ...]
    newer: bool
    older: bool
