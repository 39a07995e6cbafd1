"""The table of a group: points, tie-breaks and places. Pure and exact.

Ties are broken by the direct result, then by Sonneborn-Berger; entrants who are still equal share a place. The direct
result counts only if all who are tied have finished all games against each other.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

WIN, DRAW, LOSS = 2, 1, 0
"""The half points of a result."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a group: the numbers of both entrants by seat, and the half points of the first; None without a result.

    A game that goes on and one that ended without a result both have none. Only the first is `running`.
    """

    first: int
    second: int
    halves: int | None = None
    running: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table. Points are counted in halves, Sonneborn-Berger in quarters.

    Entrants who are equal share the `place`. `direct` is 0 if the direct result does not count.
    """

    entrant: int
    points: int
    played: int
    direct: int
    quarters: int
    place: int


def table(entrants: Sequence[int], games: Sequence[Game]) -> list[Row]:
    """Return the rows of a group, the best first. Rows with equal keys are in the order of `entrants`."""
    points, played = Counter[int](), Counter[int]()
    for entrant, _, halves in _results(games):
        points[entrant] += halves
        played[entrant] += 1
    quarters = Counter[int]()
    for entrant, opponent, halves in _results(games):
        quarters[entrant] += halves * points[opponent]
    direct = _direct(entrants, games, points)
    keys = {it: (points[it], direct[it], quarters[it]) for it in entrants}
    rows: list[Row] = []
    for key, equal in groupby(sorted(entrants, key=lambda it: keys[it], reverse=True), lambda it: keys[it]):
        place = len(rows) + 1
        rows += (Row(it, key[0], played[it], key[1], key[2], place) for it in equal)
    return rows


def _results(games: Iterable[Game]) -> Iterable[tuple[int, int, int]]:
    """Yield the result of each game twice, as entrant, opponent and the entrant's half points."""
    for game in games:
        if game.halves is not None:
            yield game.first, game.second, game.halves
            yield game.second, game.first, WIN - game.halves


def _direct(entrants: Sequence[int], games: Sequence[Game], points: Counter[int]) -> Counter[int]:
    """Return the half points in games against those who have the same points."""
    direct = Counter[int]()
    for score in {points[it] for it in entrants}:
        tied = {it for it in entrants if points[it] == score}
        among = [it for it in games if {it.first, it.second} <= tied]
        met = {frozenset((it.first, it.second)) for it in among}
        if len(met) < len(tied) * (len(tied) - 1) // 2 or any(it.halves is None for it in among):
            continue
        for entrant, _, halves in _results(among):
            direct[entrant] += halves
    return direct
