"""Finished matches, found again."""

from dataclasses import dataclass
from typing import Self

from db.values.matches import Outcome, StoredMatch
from db.values.places import DiscordId, Place


@dataclass(frozen=True, slots=True)
class Search:
    """Which finished matches of a server, or of the direct messages in a `channel`, are wanted; None does not narrow.

    `outcome` is how they ended for `member`, and `opponent` sat at the same board: both need a `member`.
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
        """Those that may be seen from a place."""
        return cls(
            place.guild, game, member, opponent, outcome, place.channel if place.guild is None else None
        )

    def __post_init__(self) -> None:
        if (self.guild is None) == (self.channel is None):
            raise ValueError("matches are of a server or of direct messages")
        if self.member is None and (self.opponent is not None or self.outcome is not None):
            raise ValueError("an opponent or an outcome is somebody's")


@dataclass(frozen=True, slots=True)
class Page:
    """Some finished matches, the newest first, and whether there are newer and older ones."""

    matches: tuple[StoredMatch, ...]
    newer: bool
    older: bool
