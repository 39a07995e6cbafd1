"""Two-game matches: two games between the same players with swapped seats, whose sum is one rated result.

The second game begins by itself in the transaction that ends the first, however that ended, but not if a moderator
ended it without a result. Its place, its terms and its time control are those of the first. A win is one point, a draw
half a point; here they are counted in halves.
"""

from datetime import datetime

from bot.app.clocks.arithmetic import started
from bot.app.matches.positions import position_keys
from bot.app.matches.results import counts, places, ranked
from bot.app.matches.table import Table, outcomes
from db.api.matches.matches import Outcome, SecondGame, StoredMatch
from rules.core.match import Match

HALVES = {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0}

Points = tuple[int, ...]
"""Half points by seat."""


def second_game(stored: StoredMatch, ended: Match, now: datetime) -> SecondGame | None:
    """The second game that begins when `ended` is the first of two; None after any other game."""
    if stored.games == 1 or stored.first is not None:
        return None
    fresh = Match.start(ended.game, dict(ended.setup.options), ended.setup.players)
    position = position_keys(fresh, rated=stored.rated)
    return SecondGame(ended.game.version, started(stored.time_control, fresh, now), position)


def points_before(stored: StoredMatch) -> Points | None:
    """The points that the players bring into a second game, by their seats in it; None if the first has no result."""
    first = stored.first
    if first is None or first.outcomes is None:
        return None
    return tuple(HALVES[outcome] for outcome in reversed(first.outcomes))


def points_after(stored: StoredMatch, match: Match) -> Points | None:
    """The points of both games together after the second; None unless both have a result."""
    before, own = points_before(stored), outcomes(match)
    if before is None or own is None or stored.void is not None:
        return None
    return tuple(points + HALVES[outcome] for points, outcome in zip(before, own, strict=True))


def rated_places(stored: StoredMatch, match: Match) -> tuple[int, ...] | None:
    """The rank of each seat by which a match that stands like this changes ratings; None if it changes none.

    Two games count together, with the second, as soon as one of them is long enough to count.
    """
    if stored.games == 1:
        return places(match) if counts(match) else None
    points = points_after(stored, match)
    if stored.first is None or points is None or not (counts(match) or counts(Table.of(stored.first).match)):
        return None
    return ranked(points)


def spell_points(halves: int) -> str:
    """Half points in words: `0`, `½`, `1`, `1½`, `2`."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)
