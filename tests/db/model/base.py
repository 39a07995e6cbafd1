"""The data of the model."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from db.api.challenges import Challenge
from db.api.matches.matches import PositionKeys, StoredMatch
from db.api.proposals import Proposal


@dataclass
class Base:
    """A few dictionaries by id. The ids come from the database."""

    all_challenges: dict[int, Challenge] = field(default_factory=dict)
    closed_at: dict[int, datetime] = field(default_factory=dict)
    """By challenge: when it was closed."""
    matches: dict[int, StoredMatch] = field(default_factory=dict)
    proposals: dict[int, Proposal] = field(default_factory=dict)
    keyed: dict[int, tuple[int, PositionKeys | None]] = field(default_factory=dict)
    """By match: the number of plies after which the keys of its position were stored, and these."""
    faced: dict[int, tuple[str | None, ...]] = field(default_factory=dict)
    there: datetime | None = None
    """When the bot was last connected."""

    def put(self, match: StoredMatch) -> StoredMatch:
        """Store a match, and with it what the second game of two says of its first."""
        self.matches[match.id] = match
        second = self.second_game(match.id)
        if second is not None:
            self.matches[second] = replace(self.matches[second], first=match)
        return match

    def second_game(self, match: int) -> int | None:
        return next((it.id for it in self.matches.values() if it.first and it.first.id == match), None)
