"""Proof that a won position stays won although the match went through positions that may not stand a third time."""

from collections.abc import Callable, Mapping

from rules.players.games.alaric.classes import Seen, followers
from rules.players.games.alaric.retrograde import Decided
from rules.players.solving import BudgetSpent

Barred = frozenset[tuple[Seen, bool]]
"""Positions that end the game as a draw when they are reached, and True for each in which the winner is to move."""

LIMIT = 20_000


class Proof:
    """A search for a way to win that avoids all barred positions. Each step of it brings the end nearer."""

    def __init__(
        self,
        size: int,
        classify: Callable[[int, int, int], int],
        decided: Mapping[int, Decided],
        barred: Barred,
    ) -> None:
        self._size, self._classify, self._decided, self._barred = size, classify, decided, barred
        self._known: dict[Seen, bool] = {}

    def wins(self, here: Seen) -> bool:
        """Return True if the winner, who is to move, can force the win. Raises BudgetSpent."""
        known = self._known.get(here)
        if known is None:
            if len(self._known) >= LIMIT:
                raise BudgetSpent
            over = not followers(here, self._size)  # with more stones for the winner, since the table says so
            known = self._known[here] = over or any(self.holds(after) for after in self._progress(here))
        return known

    def holds(self, after: Seen) -> bool:
        """Return True if the opponent, who is to move, cannot avoid the loss. Raises BudgetSpent."""
        if (after, False) in self._barred:
            return False
        replies = followers(after, self._size)
        return all((reply, True) not in self._barred and self.wins(reply) for reply in replies)

    def _progress(self, here: Seen) -> list[Seen]:
        """The positions after the moves that win by more, or by as much and sooner."""
        margin, plies = self._decided[self._classify(*here)]
        found = []
        for after in followers(here, self._size):
            lost, left = self._decided.get(self._classify(*after), (0, 0))
            if lost < 0 and (lost, left) < (-margin, plies):
                found.append(((lost, left), after))
        return [after for _, after in sorted(found)]
