"""A stored match, replayed."""

from dataclasses import dataclass, replace

from bot.app.matches.positions import position
from bot.app.matches.takebacks import back, counting
from db.api.matches.matches import Outcome, StoredMatch
from db.api.members.members import Member
from db.api.places import DiscordId
from db.api.servers import ServerSettings
from rules.core.game import Seat
from rules.core.match import Match, Ply
from rules.games import find


@dataclass(frozen=True, slots=True)
class Table:
    """A match as it is stored and as it stands: moves that were taken back are stored, but not part of the match."""

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
        """The name by which people tell it from other games: `Alaric #17`. The position of a lesson has no number."""
        return name_of(self.stored.setup.game, self.stored.id)

    @property
    def plies(self) -> int:
        """The number of stored entries, hidden and taken-back ones included: the index of the next one."""
        return len(self.stored.log)

    @property
    def shown(self) -> int:
        """The number of entries that everybody may know of. Boards and buttons carry it; it only ever grows."""
        return self.plies - len(self._unseen)

    def first_with(self, shown: int) -> int:
        """The number of entries after which everybody might know of `shown`; all entries if there are fewer."""
        return next((plies for plies in range(self.plies) if self.back_to(plies).shown >= shown), self.plies)

    def since(self, shown: int) -> tuple[Ply, ...]:
        """The entries that everybody may know of, without the first `shown`; texts of hidden plies are included."""
        log = self.stored.log
        if not self._unseen:
            return log[shown:]
        counts = counting(log)
        hidden = {counts[index] for index in self._unseen}
        return tuple(entry for index, entry in enumerate(log) if index not in hidden)[shown:]

    @property
    def _unseen(self) -> frozenset[int]:
        """The indices in the match's log of the moves of which others may not know that they were made."""
        return frozenset() if self.match.revealed else self.match.unseen

    @property
    def taken_back(self) -> bool:
        """True if the last entry is a takeback."""
        return bool(self.stored.log) and back(self.stored.log[-1]) is not None

    @property
    def voided(self) -> bool:
        """True if a moderator took its result back after it was over."""
        return self.stored.void is not None and bool(self.match.winners)

    @property
    def secret(self) -> bool:
        """True if moves are secret now: only the player sees their own."""
        return not self.match.over and self.match.game.secret(self.match.state)

    @property
    def waiting_for(self) -> tuple[DiscordId, ...]:
        """The members whose turn it is."""
        return tuple(self.stored.users[seat] for seat in self.match.to_move if seat is not None)

    def seat_of(self, user: DiscordId) -> Seat | None:
        return self.stored.users.index(user) if user in self.stored.users else None

    def chosen_by(self, user: DiscordId) -> Member | None:
        """The preferences of a player as they were read with the match; None if they were not read."""
        seat, around = self.seat_of(user), self.stored.around
        return None if seat is None or around is None else around.members[seat]

    @property
    def server(self) -> ServerSettings | None:
        """The settings of the server as they were read with the match; None if they were not read."""
        return None if self.stored.around is None else self.stored.around.server

    def back_to(self, plies: int) -> "Table":
        """The table as it stood after that many entries, without clocks: how they stood is not stored."""
        return Table.of(replace(self.stored, log=self.stored.log[:plies], clocks=()))


def name_of(game: str, match: int) -> str:
    """The name of a match of the game with this key; without a number for a position that is no stored match."""
    title = find(game).sheet.title
    return f"{title} #{match}" if match else title


def outcomes(match: Match) -> tuple[Outcome, ...] | None:
    """The outcome for each seat; None while the match goes on, or if it was broken off."""
    winners = match.winners
    if not winners:
        return None
    best = Outcome.WON if len(winners) == 1 else Outcome.DRAWN
    return tuple(best if seat in winners else Outcome.LOST for seat in range(match.setup.players))
