"""What the model of the store is made of."""

from dataclasses import dataclass, field
from datetime import datetime

from db.api.challenges import Challenge
from db.api.matches import StoredMatch
from db.api.proposals import Proposal


@dataclass
class Base:
    """A few dictionaries by id. Ids are the database's, so they are told to the model."""

    all_challenges: dict[int, Challenge] = field(default_factory=dict)
    closed_at: dict[int, datetime] = field(default_factory=dict)
    """When challenges were closed."""
    matches: dict[int, StoredMatch] = field(default_factory=dict)
    proposals: dict[int, Proposal] = field(default_factory=dict)
    there: datetime | None = None
    """When the host was last there."""
