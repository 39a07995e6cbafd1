"""Known facts about Co-Compositeness by the referee; a second implementation confirmed the counts of games."""

import random
from math import gcd

import pytest

from rules.games.cocomposite import Cocomposite, CocompositeState
from tests.seeds import seeds

PERFT = {
    4: (1, 16, 84, 408, 1764, 7600),
    5: (1, 25, 144, 768, 3768),
    16: (1, 256, 1860),
}
"""Ways to write so many numbers, from none, by size."""

GAME = Cocomposite()


def start(size: int) -> CocompositeState:
    return GAME.start({"size": size}, 2)


def by_referee(state: CocompositeState, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(by_referee(GAME.apply(state, state.mover, cell), depth - 1) for cell in GAME.legal(state))


@pytest.mark.parametrize("size", PERFT)
def test_games_of_so_many_numbers_are_counted(size: int) -> None:
    for depth, count in enumerate(PERFT[size]):
        assert by_referee(start(size), depth) == count


@pytest.mark.parametrize("size", range(4, 21))
def test_two_numbers_can_be_written_in_as_many_ways_as_a_king_can_move(size: int) -> None:
    assert by_referee(start(size), 2) == 4 * (size - 1) * (2 * size - 1)


def test_no_game_is_over_before_five_numbers() -> None:
    """7 in a corner can always go on to the 3, as 9; 9 in a corner need not find a square for 11."""
    states, ended = [start(4)], []
    for _ in range(5):
        states = [GAME.apply(state, state.mover, cell) for state in states for cell in GAME.legal(state)]
        ended.append(sum(not GAME.legal(state) for state in states))
    assert ended == [0, 0, 0, 0, 160]


@seeds(10)
def test_squares_hold_what_the_rule_allows_and_points_count_the_pairs(seed: int) -> None:
    chance = random.Random(seed)
    state = start(chance.randint(8, 20))
    while legal := GAME.legal(state):
        state = GAME.apply(state, state.mover, chance.choice(legal))
    pairs = [held for held in state.squares if len(held) == 2]
    assert sum(len(held) for held in state.squares) == len(state.path)
    assert all(len(held) <= 2 for held in state.squares)
    assert all(gcd(*held) > 1 for held in pairs)
    assert sum(state.points) == len(pairs)
    # 2m+1 and 2m+5 have no odd factor in common: nobody can ever step straight back.
    assert all(second - first >= 6 for first, second in pairs)
