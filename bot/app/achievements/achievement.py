"""What an achievement is: a few words, and a proof that is looked for in the record of a finished match."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rules.core.game import Seat
from rules.core.match import Match


class Step(NamedTuple):
    """One move of a match: the seat that made it (None: chance), the match before it and after it."""

    seat: Seat | None
    before: Match
    after: Match


@dataclass(frozen=True)
class Played:
    """A match that was played to its end, on a board of at least the game's quick size."""

    match: Match

    @property
    def state(self) -> Any:
        """The last state, of the game's own type."""
        return self.match.state

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that were there at the end."""
        return self.match.playing

    @property
    def winner(self) -> Seat | None:
        """The seat that has won alone."""
        winners = self.match.winners or ()
        return winners[0] if len(winners) == 1 else None

    @property
    def losers(self) -> tuple[Seat, ...]:
        """The seats that were there at the end and do not share the best result."""
        return tuple(seat for seat in self.seats if seat not in (self.match.winners or ()))

    @property
    def scores(self) -> tuple[int, ...] | None:
        return self.match.scores

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All entries of the log, in order."""
        steps, before = [], Match.replay(self.match.game, self.match.setup, ())
        for seat, text in self.match.log:
            after = before.play(seat, text)
            steps.append(Step(seat, before, after))
            before = after
        return tuple(steps)


@dataclass(frozen=True, slots=True)
class Achievement:
    """`earned` tells the seats that have earned it in a match; it depends on nothing but the record."""

    key: str
    """Names it in the store, for ever."""
    title: str
    deed: str
    """What somebody did who has earned it: a sentence to them."""
    riddle: str
    """A hint for those who have not."""
    earned: Callable[[Played], Iterable[Seat]]


def played(match: Match) -> Played | None:
    """The match as achievements look at it; None where it was not played to its end, or on too small a board.

    Resigning, running out of time, agreeing on a draw and breaking off prove nothing of anybody. Where one of several
    players leaves and the others play on, it counts for the others.
    """
    if match.void or match.agreed or match.game.winners(match.state) is None or len(match.playing) < 2:
        return None
    quick = next(iter(match.game.sizes.values()))
    if any(value < quick[key] for key, value in match.setup.options):
        return None
    return Played(match)
