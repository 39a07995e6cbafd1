"""Known facts about Alaric, found by implementations that share no code with the referee, and by the referee."""

import pytest

from rules.games.alaric import Alaric, AlaricState
from tests.rules.plain import alaric_solved
from tests.rules.plain.alaric_by_rules import margins_by_rules, seen

BEST_PLAY = {1: 1, 2: -1, 3: 2, 4: -2, 5: 3, 6: -2, 7: -1, 8: -1, 9: 0, 10: 0}
"""The first player's margin in stones with best play. The post gives the winners up to 6, the rulebook 7 and 8."""

PERFT = {
    3: (1, 3, 6, 6, 0),
    4: (1, 4, 12, 24, 24, 8, 0),
    5: (1, 5, 20, 60, 120, 140, 100, 60),
    6: (1, 6, 30, 120, 360, 756, 1056),
    8: (1, 8, 56, 336, 1680, 6800),
    13: (1, 13, 156, 1716, 17160),
}
"""Ways to play so many stones, from none, by the number of cells."""

Seen = alaric_solved.Seen


def start(size: int) -> AlaricState:
    return Alaric().start({"size": size}, 2)


def by_referee(state: AlaricState, depth: int) -> int:
    if depth == 0:
        return 1
    game = Alaric()
    return sum(by_referee(game.apply(state, state.now.mover, cell), depth - 1) for cell in game.legal(state))


def by_bits(position: Seen, size: int, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(by_bits(after, size, depth - 1) for after in alaric_solved.followers(position, size))


@pytest.mark.parametrize(
    ("size", "margin"),
    [
        pytest.param(size, margin, marks=[pytest.mark.soak] if size > 9 else [])
        for size, margin in BEST_PLAY.items()
    ],
)
def test_best_play(size: int, margin: int) -> None:
    assert alaric_solved.solve(size)[0, 0, 0] == margin


@pytest.mark.parametrize("size", PERFT)
def test_two_implementations_count_the_same_games(size: int) -> None:
    for depth, count in enumerate(PERFT[size]):
        assert by_referee(start(size), depth) == count
        assert by_bits((0, 0, 0), size, depth) == count


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7])
def test_the_referee_leads_to_the_same_results(size: int) -> None:
    assert {seen(now): value for now, value in margins_by_rules(size).items()} == alaric_solved.solve(size)
