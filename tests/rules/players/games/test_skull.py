"""Skull's computer player: its solver and its book against the rules, and its play from won positions."""

import random

import pytest

from rules.games.skull import Skull, SkullState
from rules.players.games.skull import SkullPlayer
from rules.players.games.skull.book import BOARDS, SKULLS, canonical, layers, outcome
from rules.players.games.skull.solver import SkullPosition, Solver
from rules.players.player import BudgetSpent

PLAYER = SkullPlayer()
SMALL = [
    (1, 1),
    (5, 1),
    (1, 4),
    (2, 2),
    (3, 2),
    (4, 2),
    (3, 3),
    (4, 3),
    *(pytest.param(*it, marks=pytest.mark.soak) for it in ((3, 4), (4, 4), (5, 3))),
]


def by_rules(width: int, height: int) -> dict[SkullState, bool]:
    """Return True for each state that the rules reach in which the player on turn wins."""
    game = Skull()
    wins: dict[SkullState, bool] = {}

    def judge(state: SkullState) -> bool:
        if state not in wins:
            replies = [judge(game.apply(state, state.mover, cell)) for cell in game.legal(state)]
            wins[state] = not all(replies)
        return wins[state]

    judge(SkullState(width, height))
    return wins


@pytest.mark.parametrize(("width", "height"), SMALL)
def test_every_position_is_judged_as_by_the_rules(width: int, height: int) -> None:
    """The named moves win and no others do, so a player who takes them wins against every reply."""
    game = Skull()
    wins = by_rules(width, height)
    for state, win in wins.items():
        legal = game.legal(state)
        if not legal:
            continue
        found = PLAYER.solved(SkullPosition.of(state), 100_000)
        assert found is not None
        assert found.value == float(win)
        winning = {cell for cell in legal if not wins[game.apply(state, state.mover, cell)]}
        best = {cell.row * width + cell.column for cell in winning or legal}
        assert set(found.best) == best


def test_result_on_the_board_of_the_post() -> None:
    """The first player wins from every cell but the two in the centre."""
    solver = Solver(6, 5, 10**6)
    lost = [cell for cell in range(30) if not solver.opens(cell)]
    assert lost == [14, 15]
    found = PLAYER.solve({"width": 6, "height": 5}, compiled=False)
    assert (found.winner, found.margin, found.end) == (0, None, "win")


@pytest.mark.parametrize(
    ("width", "height"),
    [pytest.param(*board, marks=pytest.mark.soak if number else ()) for number, board in enumerate(BOARDS)],
)
@pytest.mark.parametrize("every", [60, pytest.param(1, marks=pytest.mark.soak)])
def test_book_agrees_with_itself_one_skull_on(width: int, height: int, every: int) -> None:
    """A position is won if one of its moves leads to a lost one."""
    for number, layer in enumerate(layers(width, height), 1):
        if number == SKULLS:
            break
        for skulls, position in list(layer.items())[::every]:
            after = []
            for code in position.moves():
                twin = position.played(code)
                after.append(outcome(width, height, twin.skulls))
            assert outcome(width, height, skulls) == (False in after)


def test_book_has_what_the_solver_finds() -> None:
    for width, height, tried in ((9, 6, 8), (7, 8, 4)):
        solver, chance = Solver(width, height, 10**7), random.Random(3)
        last = list(layers(width, height))[-1]
        for skulls in chance.sample(sorted(last), tried):
            position = last[skulls]
            found = solver.wins(position.near, position.far, position.untouched)
            assert outcome(width, height, skulls) == found


def test_symmetry_classes_are_the_same_for_all_images() -> None:
    assert len({canonical(cells, 4, 4) for cells in (0b0011, 0b1100, 0x1100, 0x0011, 0x8800)}) == 1
    assert canonical(1 << 1, 5, 4) != canonical(1 << 5, 5, 4)
    assert outcome(7, 8, 1 << 3) == outcome(8, 7, 1 << 24)


def test_a_search_that_takes_too_long_says_so() -> None:
    with pytest.raises(BudgetSpent):
        Solver(7, 6, 1000).opens(0)
    assert PLAYER.solved(SkullPosition(7, 6), 100) is None
