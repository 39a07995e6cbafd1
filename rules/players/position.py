"""A position for search: mutable and fast, where the rules' states are frozen and exact."""

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any, Self

from rules.core.game import Game, Seat

Shares = tuple[float, ...]
"""Each seat's share of the win: 1 for the only winner, 1/k for each of k seats that share the best result, else 0."""

Trace = Sequence[list[int]]
"""For each seat a list that collects the codes of the moves it plays."""


def expected(results: Collection[Shares], mover: Seat) -> Shares:
    """Return the shares of a position by those after its moves: the mean of the different results best for the mover.

    With two seats there is only one. With more, equally good moves of the mover can differ for the others.
    """
    most = max([shares[mover] for shares in results])
    best = sorted({shares for shares in results if shares[mover] == most})
    return best[0] if len(best) == 1 else tuple([sum(seat) / len(best) for seat in zip(*best, strict=True)])


class SearchPosition(ABC):
    """A position of one game. A move is a small integer, its code.

    A law compares each game's positions with its rules, move for move and in the result, over random games. If a game
    is searched with `amaf`, a code must mean the same move wherever it is legal.
    """

    __slots__ = ("mover",)

    mover: Seat
    """The seat on turn; of no meaning once the game is over."""

    @abstractmethod
    def moves(self) -> Sequence[int]:
        """Return the codes of all legal moves; empty if the game is over. The caller may not change the sequence."""

    def over(self) -> bool:
        return not self.moves()

    @abstractmethod
    def play(self, code: int) -> None:
        """Play a legal move."""

    @abstractmethod
    def copy(self) -> Self:
        """Return an independent copy."""

    def played(self, code: int) -> Self:
        """Return an independent copy after a legal move."""
        twin = self.copy()
        twin.play(code)
        return twin

    @abstractmethod
    def shares(self) -> Shares:
        """Return the shares of a game that is over."""

    def solved(self) -> Shares | None:
        """Return the shares under best play if they are known at small cost, else None. The search asks at leaves."""
        return None

    def playout(self, chance: random.Random, trace: Trace | None) -> Shares:
        """Play to the end, at random unless a game knows better, and return the shares, or estimates of them.

        The position is used up. Each move's code is appended to the list of its seat in `trace`, if given.
        """
        pick = chance.random
        while codes := self.moves():
            code = codes[int(pick() * len(codes))]
            if trace is not None:
                trace[self.mover].append(code)
            self.play(code)
        return self.shares()


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
