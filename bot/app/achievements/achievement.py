"""The parts of an achievement: its texts, and the proof that is looked for in the record of a finished match."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rules.core.game import Seat
from rules.core.match import Match


class LoggedMove(NamedTuple):
    """One move of a match: the seat that made it (None: chance), the match before it and after it."""

    seat: Seat | None
    before: Match
    after: Match


@dataclass(frozen=True)
class Played:
    """A match that was played to its end on a board of the game's quick size or larger."""

    match: Match

    @property
    def state(self) -> Any:
        """The last state, of the game's own type."""
        return self.match.state

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that stayed to the end."""
        return self.match.playing

    @property
    def winner(self) -> Seat | None:
        """The seat that won alone; None if the win is shared."""
        winners = self.match.winners or ()
        return winners[0] if len(winners) == 1 else None

    @property
    def losers(self) -> tuple[Seat, ...]:
        """The seats that stayed to the end and do not share the best result."""
        return tuple(seat for seat in self.seats if seat not in (self.match.winners or ()))

    @property
    def scores(self) -> tuple[int, ...] | None:
        return self.match.scores

    @cached_property
    def steps(self) -> tuple[LoggedMove, ...]:
        """All entries of the log, in order."""
        steps, before = [], Match.replay(self.match.game, self.match.setup, ())
        for seat, text in self.match.log:
            after = before.play(seat, text)
            steps.append(LoggedMove(seat, before, after))
            before = after
        return tuple(steps)


class Progress(NamedTuple):
    """The progress of a seat in one match: `have` of `need`."""

    seat: Seat
    have: int
    need: int


Measure = Callable[[Played], Iterable[Progress]]


@dataclass(frozen=True, slots=True)
class Achievement:
    """`earned` returns the seats that earned it in a match; it depends on nothing but the record."""

    key: str
    """Names it in the store; it never changes."""
    title: str
    deed: str
    """A sentence to the member that says how they earned it."""
    riddle: str
    """A hint for members who have not earned it."""
    earned: Callable[[Played], Iterable[Seat]]
    measure: Measure | None = None
    """The progress of a match towards it; None where there is nothing to count."""


def measured(key: str, title: str, deed: str, riddle: str, measure: Measure) -> Achievement:
    """Return an achievement for the seats that have measured enough."""

    def earned(game: Played) -> Iterator[Seat]:
        yield from (step.seat for step in measure(game) if step.have >= step.need)

    return Achievement(key, title, deed, riddle, earned, measure)


def played(match: Match) -> Played | None:
    """Return the match as achievements see it; None if it was not played to its end, or on too small a board.

    A match that ends by resignation, on time, by agreement or by a moderator proves nothing. Where one of several
    players leaves and the others play on, it counts for the others.
    """
    if match.void or match.agreed or match.game.winners(match.state) is None or len(match.playing) < 2:
        return None
    quick, options = next(iter(match.game.sizes.values())), dict(match.setup.options)
    if any(options[it.key] < quick[it.key] for it in match.game.options if not it.extra):
        return None
    return Played(match)
