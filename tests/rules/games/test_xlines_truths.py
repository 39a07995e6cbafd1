"""Known facts about X's and Lines by the referee; a second implementation confirmed the counts of games."""

import random
from functools import cache

import pytest

from rules.games.xlines import XLines, XLinesState
from tests.rules.plain.xlines_cells import Point, signs
from tests.seeds import seeds

PERFT = {
    (3, ""): (1, 9, 72, 504, 3744, 4776, 0),
    (4, ""): (1, 16, 240, 3360),
    (4, "a1 b2 c3 d4"): (1, 24, 96, 160, 0),
    (5, "a2 b5 d1 e4 c3"): (1, 40, 224, 680, 820, 0),
    (6, "a1 c2 e3 b4 d5 f6"): (1, 60, 460, 2288),
    (8, "b2 g2 d5 e7 b8 h6 f1 a4"): (1, 100, 1016, 6952),
}
"""Ways to make so many moves, by size and the x's that stand already."""

FIRST_PLAYER_WINS = {3: True, 4: False}
"""With best play on an empty board of this size."""

GAME = XLines()


def begun(size: int, xs: str) -> XLinesState:
    state = GAME.start({"size": size}, 2)
    for text in xs.split():
        state = GAME.apply(state, 0, GAME.parse(state, 0, text))
    return state


def by_referee(state: XLinesState, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(by_referee(GAME.apply(state, state.mover, move), depth - 1) for move in GAME.legal(state))


@pytest.mark.parametrize(("size", "xs"), PERFT)
def test_games_of_so_many_moves_are_counted(size: int, xs: str) -> None:
    state = begun(size, xs)
    for depth, count in enumerate(PERFT[size, xs]):
        assert by_referee(state, depth) == count


@pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.soak)])
def test_best_play(size: int) -> None:
    @cache
    def wins(state: XLinesState) -> bool:
        after = [GAME.apply(state, state.mover, move) for move in GAME.legal(state)]
        return not after or any(wins(child) == (child.mover == state.mover) for child in after)

    assert wins(GAME.start({"size": size}, 2)) is FIRST_PLAYER_WINS[size]


@seeds(20)
def test_no_cell_of_a_finished_game_is_crossed(seed: int) -> None:
    """Straight from the text of the rule: no x is run over, and no cell is straight both ways."""
    chance = random.Random(seed)
    state = GAME.start({"size": chance.randint(6, 12)}, 2)
    while legal := GAME.legal(state):
        state = GAME.apply(state, state.mover, chance.choice(legal))
    xs = [(cell.column, cell.row) for cell in state.xs]
    looks: set[tuple[Point, str]] = set()
    for line in state.lines:
        route = tuple((cell.column, cell.row) for cell in line if cell is not None)
        looks |= set(signs(route).items())
    assert not any(point in xs for point, _ in looks)
    assert not any((point, "-") in looks and (point, "|") in looks for point, _ in looks)
    assert len(set(state.used)) == len(state.used) == len(state.lines) + 1
