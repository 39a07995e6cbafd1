"""A search position of any game without secrets and chance, by its rules alone: slow, but always there."""

from collections.abc import Sequence
from typing import Any, Self

from rules.core.game import Game
from rules.players.position import SearchPosition, Shares


class RulesPosition(SearchPosition):
    """A state of the rules. A code is the index of a move in board order, so `amaf` makes no sense here."""

    __slots__ = ("_codes", "game", "seats", "state")

    def __init__(self, game: Game[Any, Any], state: Any, seats: int) -> None:
        self.game, self.state, self.seats = game, state, seats
        self._codes: Sequence[Any] | None = None
        self._turn()

    def _turn(self) -> None:
        turn = self.game.to_move(self.state)
        self._codes = None if turn else ()
        self.mover = turn[0] or 0 if turn else 0

    def legal(self) -> Sequence[Any]:
        """Return the moves themselves, in board order."""
        if self._codes is None:
            self._codes = self.game.legal(self.state) or ()
        return self._codes

    def moves(self) -> Sequence[int]:
        return range(len(self.legal()))

    def play(self, code: int) -> None:
        self.state = self.game.apply(self.state, self.mover, self.legal()[code])
        self._turn()

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.game, twin.state, twin.seats = self.game, self.state, self.seats
        twin._codes, twin.mover = self._codes, self.mover
        return twin

    def shares(self) -> Shares:
        winners = self.game.winners(self.state) or ()
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(self.seats))
