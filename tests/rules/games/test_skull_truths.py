"""Known facts about Skull, found by implementations that share no code with the referee, and by the referee."""

import random

import pytest

from rules.games.skull import Skull, SkullState
from tests.rules.plain import skull as skull_plain
from tests.rules.plain import skull_bits
from tests.rules.plain.skull import name, neighbours
from tests.seeds import seeds

SMALL = [(1, 1), (3, 1), (1, 4), (2, 2), (3, 2), (3, 3), (4, 3), (3, 4), (4, 4)]

PERFT = {
    (9, 1): (1, 9, 16, 28, 48, 80, 128),
    (3, 3): (1, 9, 24, 88, 192, 320, 256, 512, 0),
    (4, 4): (1, 16, 48, 208, 640, 1920, 4736),
    (5, 4): (1, 20, 62, 280, 920, 3040),
    (6, 5): (1, 30, 98, 472, 1704),
}
"""Ways to lay so many skulls, from none, by width and height."""


def bits(state: SkullState) -> int:
    return sum(1 << (cell.row * state.width + cell.column) for cell in state.path)


def by_referee(state: SkullState, depth: int) -> int:
    if depth == 0:
        return 1
    game = Skull()
    return sum(by_referee(game.apply(state, state.mover, cell), depth - 1) for cell in game.legal(state))


def by_bits(path: skull_bits.Path, beside: tuple[int, ...], depth: int) -> int:
    if depth == 0:
        return 1
    return sum(by_bits(after, beside, depth - 1) for _, after in skull_bits.followers(path, beside))


def test_on_the_board_of_the_post_the_first_player_wins_except_from_the_centre() -> None:
    wins = skull_bits.solve(6, 5)
    assert len(wins) == 61_196
    assert wins[0]
    assert {name(cell, 6) for cell in range(30) if wins[1 << cell]} == {"c3", "d3"}


@pytest.mark.parametrize(("width", "height"), PERFT)
def test_three_implementations_count_the_same_games(width: int, height: int) -> None:
    start = SkullState(width, height)
    beside = neighbours(width, height)
    for depth, count in enumerate(PERFT[width, height]):
        assert by_referee(start, depth) == count
        assert by_bits(skull_bits.EMPTY, beside, depth) == count
        assert skull_plain.perft(width, height, depth) == count


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_every_position_of_a_small_board_is_judged_alike(width: int, height: int) -> None:
    """Reachable sets, their legal cells and who wins: the referee, played out, against the bitboards."""
    game = Skull()
    wins = skull_bits.solve(width, height)
    judged: dict[int, bool] = {}

    def judge(state: SkullState) -> bool:
        here = bits(state)
        if here not in judged:
            assert [str(cell) for cell in game.legal(state)] == plain_moves(here)
            replies = [judge(game.apply(state, state.mover, cell)) for cell in game.legal(state)]
            judged[here] = not all(replies)
        return judged[here]

    def plain_moves(skulls: int) -> list[str]:
        cells = sorted(
            skull_plain.moves(skulls, width, height), key=lambda cell: (-(cell // width), cell % width)
        )
        return [name(cell, width) for cell in cells]

    judge(SkullState(width, height))
    assert judged == wins


@pytest.mark.parametrize(("width", "height"), [(3, 2), (3, 3), (4, 3)])
def test_what_can_be_reached_is_every_path_and_nothing_else(width: int, height: int) -> None:
    everything = range(1, 1 << width * height)
    paths = {skulls for skulls in everything if skull_plain.is_path(skulls, width, height)}
    assert skull_bits.solve(width, height).keys() == paths | {0}


@seeds(12)
def test_random_games_on_large_boards_agree_at_every_ply(seed: int) -> None:
    chance = random.Random(seed)
    game = Skull()
    state = SkullState(chance.randint(5, 9), chance.randint(5, 9))
    while legal := game.legal(state):
        plain = skull_plain.moves(bits(state), state.width, state.height)
        assert {str(cell) for cell in legal} == {name(cell, state.width) for cell in plain}
        state = game.apply(state, state.mover, chance.choice(legal))
    assert skull_plain.moves(bits(state), state.width, state.height) == []
    assert game.winners(state) == (1 - len(state.path) % 2,)
