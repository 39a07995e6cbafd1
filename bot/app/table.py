"""A stored match, replayed."""

from dataclasses import dataclass

from db.values import DiscordId, Outcome, StoredMatch
from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find


@dataclass(frozen=True, slots=True)
class Table:
    """A match as it is stored and as it stands."""

    stored: StoredMatch
    match: Match

    @classmethod
    def of(cls, stored: StoredMatch) -> "Table":
        return cls(stored, Match.replay(find(stored.setup.game), stored.setup, stored.log))

    @property
    def id(self) -> int:
        return self.stored.id

    @property
    def name(self) -> str:
        """How people tell it from other games: `Alaric #17`."""
        return f"{self.match.game.sheet.title} #{self.stored.id}"

    @property
    def plies(self) -> int:
        """How many plies were played, hidden ones too."""
        return len(self.match.log)

    @property
    def shown(self) -> int:
        """How many plies everybody may know of: what boards and buttons are told apart by."""
        return len(self.match.seen(None))

    @property
    def secret(self) -> bool:
        """Whether what is played now is for the mover's eyes alone."""
        return not self.match.over and self.match.game.secret(self.match.state)

    @property
    def waiting_for(self) -> tuple[DiscordId, ...]:
        """The members who have to act now."""
        return tuple(self.stored.users[seat] for seat in self.match.to_move if seat is not None)

    def seat_of(self, user: DiscordId) -> Seat | None:
        return self.stored.users.index(user) if user in self.stored.users else None

    def back_to(self, plies: int) -> "Table":
        """The table as it stood after that many plies."""
        match = Match.replay(self.match.game, self.stored.setup, self.stored.log[:plies])
        return Table(self.stored, match)


def outcomes(match: Match) -> tuple[Outcome, ...] | None:
    """How the match ended for each seat, None while it goes on."""
    winners = match.winners
    if winners is None:
        return None
    best = Outcome.WON if len(winners) == 1 else Outcome.DRAWN
    return tuple(best if seat in winners else Outcome.LOST for seat in range(match.setup.players))
