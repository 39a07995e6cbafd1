"""Finished matches, found again."""

from dataclasses import dataclass

from db.values.matches import Outcome, StoredMatch
from db.values.places import DiscordId


@dataclass(frozen=True, slots=True)
class Search:
    """Which finished matches of a server are wanted; None does not narrow.

    `outcome` is how they ended for `member`, and `opponent` sat at the same board: both need a `member`.
    """

    guild: DiscordId
    game: str | None = None
    member: DiscordId | None = None
    opponent: DiscordId | None = None
    outcome: Outcome | None = None

    def __post_init__(self) -> None:
        if self.member is None and (self.opponent is not None or self.outcome is not None):
            raise ValueError("an opponent or an outcome is somebody's")


@dataclass(frozen=True, slots=True)
class Page:
    """Some finished matches, the newest first, and whether there are newer and older ones."""

    matches: tuple[StoredMatch, ...]
    newer: bool
    older: bool
