"""Known facts about X's and Lines, found by the referee and by the plain implementation, which share no code."""

import random
from functools import cache

import pytest

from rules.games.xlines import XLines
from rules.games.xlines.state import Line, XLinesState
from tests.rules.plain import xlines as xlines_plain
from tests.rules.plain.xlines import Paper, name
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


def both(size: int, xs: str) -> tuple[XLinesState, Paper]:
    state, paper = GAME.start({"size": size}, 2), Paper(size)
    for text in xs.split():
        cell = GAME.parse(state, 0, text)
        assert not isinstance(cell, Line)
        state, paper = GAME.apply(state, 0, cell), xlines_plain.play(paper, ((cell.column, cell.row),))
    return state, paper


def by_referee(state: XLinesState, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(by_referee(GAME.apply(state, state.mover, move), depth - 1) for move in GAME.legal(state))


@pytest.mark.parametrize(("size", "xs"), PERFT)
def test_two_implementations_count_the_same_games(size: int, xs: str) -> None:
    state, paper = both(size, xs)
    for depth, count in enumerate(PERFT[size, xs]):
        assert by_referee(state, depth) == count
        assert xlines_plain.perft(paper, depth) == count


@pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.soak)])
def test_best_play(size: int) -> None:
    @cache
    def wins(state: XLinesState) -> bool:
        after = [GAME.apply(state, state.mover, move) for move in GAME.legal(state)]
        return not after or any(wins(child) == (child.mover == state.mover) for child in after)

    @cache
    def plainly_wins(xs: frozenset[xlines_plain.Point], drawn: tuple[xlines_plain.Route, ...]) -> bool:
        paper = Paper(size, tuple(xs), drawn)
        after = [xlines_plain.play(paper, move) for move in xlines_plain.moves(paper)]
        mover = xlines_plain.mover
        return not after or any(
            plainly_wins(frozenset(child.xs), child.drawn) == (mover(child) == mover(paper))
            for child in after
        )

    assert wins(GAME.start({"size": size}, 2)) is FIRST_PLAYER_WINS[size]
    assert plainly_wins(frozenset(), ()) is FIRST_PLAYER_WINS[size]


@seeds(60)
def test_random_games_agree_at_every_ply_to_the_last(seed: int) -> None:
    chance = random.Random(seed)
    state, paper = both(chance.randint(3, 12), "")
    while legal := GAME.legal(state):
        plain = {name(move): move for move in xlines_plain.moves(paper)}
        texts = [GAME.format(move) for move in legal]
        assert set(texts) == plain.keys()
        assert len(texts) == len(plain)
        assert GAME.to_move(state) == (xlines_plain.mover(paper),)
        assert GAME.winners(state) is None
        move = chance.choice(legal)
        state = GAME.apply(state, state.mover, move)
        paper = xlines_plain.play(paper, plain[GAME.format(move)])
    assert list(xlines_plain.moves(paper)) == []
    assert state.lines
    assert GAME.winners(state) == (xlines_plain.mover(paper),)


@seeds(20)
def test_no_cell_of_a_finished_game_is_crossed(seed: int) -> None:
    """Straight from the text of the rule: no x is run over, and no cell is straight both ways."""
    chance = random.Random(seed)
    state = GAME.start({"size": chance.randint(6, 12)}, 2)
    while legal := GAME.legal(state):
        state = GAME.apply(state, state.mover, chance.choice(legal))
    xs = [(cell.column, cell.row) for cell in state.xs]
    looks: set[tuple[xlines_plain.Point, str]] = set()
    for line in state.lines:
        route = tuple((cell.column, cell.row) for cell in line if cell is not None)
        looks |= set(xlines_plain.signs(route).items())
    assert not any(point in xs for point, _ in looks)
    assert not any((point, "-") in looks and (point, "|") in looks for point, _ in looks)
    assert len(set(state.used)) == len(state.used) == len(state.lines) + 1
