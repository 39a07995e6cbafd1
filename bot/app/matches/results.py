"""The results of matches as ranks, the rule when they count for ratings, and two-game matches.

The second game of two has swapped seats, and the sum of both is one rated result. It begins by itself in the
transaction that ends the first, however that ended, but not if a moderator ended it without a result. Its place, its
terms and its time control are those of the first. A win is one point, a draw half a point; here they are counted in
halves.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.app.clocks.arithmetic import started
from bot.app.matches.loaded import LoadedMatch, outcomes, position_keys
from db.values.matches import Beginning, Outcome, StoredMatch
from rules.core.game import Seat
from rules.core.match import LEAVING, Match

FEWEST = 2
"""Moves that every seat must have made before a match counts for ratings."""


def counts(match: Match) -> bool:
    """Return True if a match has a result and every seat has made a few moves.

    Before that nobody's rating can lose by leaving, and nobody's can gain.
    """
    return bool(match.winners) and min(moves_made(match)) >= FEWEST


def moves_made(match: Match) -> tuple[int, ...]:
    """Return the number of moves that each seat has made."""
    moves = Counter(seat for seat, text in match.log if text not in LEAVING)
    return tuple(moves[seat] for seat in range(match.setup.players))


def places(match: Match) -> tuple[int, ...]:
    """Return the rank of each seat in a match that has a result: from 1, equal where it is shared.

    The winners come first; then those who stayed, by their points if the game has any; then those who left, and the
    first who left comes last.
    """
    return ranked([_merit(match, seat) for seat in range(match.setup.players)])


def ranked(merits: Sequence[Any]) -> tuple[int, ...]:
    """Return the ranks of these merits, from 1. A higher merit is better, and equal merits share a rank."""
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


def _merit(match: Match, seat: Seat) -> tuple[int, int]:
    """Return the key by which seats are ranked; higher is better."""
    left = [who for who, _ in match.left]
    if seat in (match.winners or ()):
        return 2, 0
    if seat in left:
        return 0, left.index(seat)
    return 1, 0 if match.scores is None else match.scores[seat]


HALVES = {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0}

Points = tuple[int, ...]
"""Half points by seat."""


def second_game(stored: StoredMatch, ended: Match, now: datetime) -> Beginning | None:
    """Return the second game that begins when `ended` is the first of two; None after any other game."""
    if stored.games == 1 or stored.first is not None:
        return None
    fresh = Match.start(ended.game, dict(ended.setup.options), ended.setup.players)
    position = position_keys(fresh, rated=stored.rated)
    return Beginning(ended.game.version, started(stored.time_control, fresh, now), position)


def points_before(stored: StoredMatch) -> Points | None:
    """Return the points of the first game, by seat in the second; None if the first has no result."""
    first = stored.first
    if first is None or first.outcomes is None:
        return None
    return tuple(HALVES[outcome] for outcome in reversed(first.outcomes))


def points_after(stored: StoredMatch, match: Match) -> Points | None:
    """Return the points of both games together after the second; None unless both have a result."""
    before, own = points_before(stored), outcomes(match)
    if before is None or own is None or stored.void is not None:
        return None
    return tuple(points + HALVES[outcome] for points, outcome in zip(before, own, strict=True))


def rated_places(stored: StoredMatch, match: Match) -> tuple[int, ...] | None:
    """Return the ranks by seat with which a match changes ratings; None if it changes none.

    Two games count together, with the second, as soon as one of them is long enough to count.
    """
    if stored.games == 1:
        return places(match) if counts(match) else None
    points = points_after(stored, match)
    if (
        stored.first is None
        or points is None
        or not (counts(match) or counts(LoadedMatch.of(stored.first).match))
    ):
        return None
    return ranked(points)
