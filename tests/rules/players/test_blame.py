"""Moments of reviews beside exact values: no move is blamed that was as good as the one that is called better."""

import random
from collections.abc import Iterator, Mapping
from itertools import count, pairwise

import pytest

from rules.core.game import Seat
from rules.core.match import Match
from rules.games import find
from rules.players.choose import choose, find_player
from rules.players.levels import Budget
from rules.players.player import SearchPlayer
from rules.players.review import NODES, SECOND, Judged, backwards, judged, moments, positions, settled
from tests.rules.walks import finish
from tests.seeds import SEED, sample

pytestmark = [pytest.mark.slow, pytest.mark.sampled]

MOST = 1_000_000
"""Positions that a solver may look at for one value."""
SIZES: Mapping[str, dict[str, int]] = {
    "xlines": {"size": 7},
    "maze": {"size": 4},
    "spaghetti": {"size": 6},
    "polygons": {"dots": 3, "size": 10},
}
"""Sizes whose first positions are estimated, and whose later ones can be solved."""


def blamed(match: Match, seed: int) -> tuple[Judged, ...]:
    """Return the moments of a review, as members see them."""
    around = backwards(
        match,
        positions(match),
        lambda stage: choose(stage, None, Budget(nodes=NODES), seed),
        lambda stage: choose(stage, None, SECOND, seed + 1),
    )
    known = settled(match, [found for _, found in around][::-1])
    every = (judged(match, ply, *outlooks) for ply, outlooks in enumerate(pairwise(known)))
    return moments([move for move in every if move is not None], 2)


def value(match: Match, seat: Seat) -> float | None:
    """Return the share of a seat under best play; None if the solver would look at too many positions."""
    if match.over:
        winners = match.winners or ()
        return 1 / len(winners) if seat in winners else 0.0
    player = find_player(match.game)
    assert isinstance(player, SearchPlayer)
    position = player.position(match)
    found = player.proved(position, MOST)
    return found if found is None or position.mover == seat else 1 - found


def verifiable(key: str) -> Iterator[tuple[Match, Judged, float, float]]:
    """Yield moments of random games with the values of the better move and of the move that was played."""
    for number in count():
        match = finish(Match.start(find(key), SIZES[key], 2), random.Random(f"{key} {number} {SEED}"), 200)
        stages = positions(match)
        for move in blamed(match, number):
            better = value(stages[move.ply].play(move.seat, move.better), move.seat)
            played = value(stages[move.ply + 1], move.seat)
            if better is not None and played is not None:
                yield match, move, better, played


@pytest.mark.parametrize(
    "key",
    [pytest.param(key, marks=pytest.mark.soak if key in ("spaghetti", "polygons") else ()) for key in SIZES],
)
def test_no_correct_move_is_blamed(key: str) -> None:
    found = verifiable(key)
    for _ in range(sample(40)):
        match, move, better, played = next(found)
        assert better > played, (match.log, move)
