"""A stored match, replayed."""

from dataclasses import dataclass, replace

from bot.app.matches.positions import position
from bot.app.matches.takebacks import back, counting
from db.api.matches import Outcome, StoredMatch
from db.api.places import DiscordId
from rules.core.game import Seat
from rules.core.match import Match, Ply


@dataclass(frozen=True, slots=True)
class Table:
    """A match as it is stored and as it stands: what was taken back is stored, but not part of the match."""

    stored: StoredMatch
    match: Match

    @classmethod
    def of(cls, stored: StoredMatch) -> "Table":
        return cls(stored, position(stored.setup, [stored.log[index] for index in counting(stored.log)]))

    @property
    def id(self) -> int:
        return self.stored.id

    @property
    def name(self) -> str:
        """How people tell it from other games: `Alaric #17`."""
        return f"{self.match.game.sheet.title} #{self.stored.id}"

    @property
    def plies(self) -> int:
        """How many entries are stored, hidden plies and what was taken back too: where the next one goes."""
        return len(self.stored.log)

    @property
    def shown(self) -> int:
        """How many entries everybody may know of: what boards and buttons are told apart by. It only ever grows."""
        return len(self.since(0))

    def since(self, shown: int) -> tuple[Ply, ...]:
        """The entries that everybody may know of, but for the first `shown`; texts of hidden plies included."""
        log = self.stored.log
        unseen = () if self.match.revealed else self.match.unseen
        counts = counting(log)
        hidden = {counts[index] for index in unseen}
        return tuple(entry for index, entry in enumerate(log) if index not in hidden)[shown:]

    @property
    def taken_back(self) -> bool:
        """Whether the last thing that happened was a takeback."""
        return bool(self.stored.log) and back(self.stored.log[-1]) is not None

    @property
    def voided(self) -> bool:
        """Whether it was over when a moderator took its result back."""
        return self.stored.void is not None and bool(self.match.winners)

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
        """The table as it stood after that many entries. Its clocks are gone: nobody knows how they stood."""
        return Table.of(replace(self.stored, log=self.stored.log[:plies], clocks=()))


def outcomes(match: Match) -> tuple[Outcome, ...] | None:
    """How the match ended for each seat, None while it goes on or where it was broken off."""
    winners = match.winners
    if not winners:
        return None
    best = Outcome.WON if len(winners) == 1 else Outcome.DRAWN
    return tuple(best if seat in winners else Outcome.LOST for seat in range(match.setup.players))
