"""The goals of the steps of a lesson, as predicates of the referee: a move, and the position before and after it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.match import Match


class Goal(ABC):
    """The goal of a step."""

    @abstractmethod
    def reached(self, seat: Seat, before: Match, after: Match) -> bool:
        """Return True if the last move of `after`, which `seat` played in `before`, reaches the goal."""

    def refused(self, refusal: Illegal) -> bool:
        """Return True if this refusal is what the step asks for."""
        return False


@dataclass(frozen=True, slots=True)
class Legal(Goal):
    """Any legal move, or one of these if some are named."""

    moves: tuple[str, ...] = ()

    def reached(self, seat: Seat, before: Match, after: Match) -> bool:
        return not self.moves or after.log[-1].text in self.moves


@dataclass(frozen=True, slots=True)
class RefusedBy(Goal):
    """A move that this rule forbids."""

    rule: str

    def reached(self, seat: Seat, before: Match, after: Match) -> bool:
        return False

    def refused(self, refusal: Illegal) -> bool:
        return refusal.rule == self.rule


@dataclass(frozen=True, slots=True)
class Gains(Goal):
    """A move by which the score of its player rises by at least so many points more than the other scores together."""

    points: int

    def reached(self, seat: Seat, before: Match, after: Match) -> bool:
        assert before.scores is not None
        assert after.scores is not None
        changes = [new - old for old, new in zip(before.scores, after.scores, strict=True)]
        return 2 * changes[seat] - sum(changes) >= self.points


@dataclass(frozen=True, slots=True)
class Ends(Goal):
    """A move that ends the game."""

    def reached(self, seat: Seat, before: Match, after: Match) -> bool:
        return after.over


@dataclass(frozen=True, slots=True)
class Wins(Goal):
    """A game that is over and that nobody else has won."""

    def reached(self, seat: Seat, before: Match, after: Match) -> bool:
        return after.winners == (seat,)
