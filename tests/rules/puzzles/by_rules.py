"""The value of positions by the rules alone: every game to its end, without a solver or a fast position."""

from collections.abc import Hashable
from typing import Any

from rules.core.game import Seat
from rules.core.match import Match


class TooMany(Exception):
    """A proof would take more positions than it may."""


class ByRules:
    """Minimax by the referee, for two players. `positions` may be looked at; more raise TooMany."""

    def __init__(self, match: Match, positions: int) -> None:
        self._game, self._left = match.game, positions
        self._known: dict[Hashable, float] = {}

    def moves(self, match: Match) -> dict[str, float]:
        """Return the share of the win that each move keeps for the player who makes it."""
        seat = match.to_move[0]
        assert seat is not None
        return {
            self._game.format(move): self._share(self._game.apply(match.state, seat, move), seat)
            for move in self._game.legal(match.state) or ()
        }

    def _share(self, state: Any, seat: Seat) -> float:
        """Return what a seat gets in a position under best play."""
        winners = self._game.winners(state)
        if winners is not None:
            return 1 / len(winners) if seat in winners else 0.0
        (mover,) = self._game.to_move(state)
        assert mover is not None
        value = self._best(state, mover)
        return value if mover == seat else 1 - value

    def _best(self, state: Any, mover: Seat) -> float:
        key = self._game.position(state)
        known = self._known.get(key)
        if known is None:
            self._left -= 1
            if self._left < 0:
                raise TooMany
            known = 0.0
            for move in self._game.legal(state) or ():
                known = max(known, self._share(self._game.apply(state, mover, move), mover))
                if known == 1:
                    break
            self._known[key] = known
        return known
