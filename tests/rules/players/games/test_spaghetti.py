"""Uncooked Spaghetti's computer: its exact values against a plain search over the rules."""

import random

import pytest

from rules.core.match import Match
from rules.core.notation import Cell
from rules.games.spaghetti import Line, Spaghetti, SpaghettiState
from rules.players.choose import choose, find_player
from rules.players.games.spaghetti import SpaghettiPlayer, plain_leaf
from rules.players.games.spaghetti.filled import boards, read
from rules.players.games.spaghetti.position import SpaghettiPosition, tables
from rules.players.games.spaghetti.solver import FAR, WORTH, Root
from rules.players.levels import Budget, Level
from tests.seeds import chance_for, sample, seeds

GAME = Spaghetti()
PLAYER = SpaghettiPlayer()


def plain_gain(state: SpaghettiState) -> int:
    """Return the lead of seat 0 from here on, by nothing but the rules."""
    if state.over:
        return 0
    # Squares and lines count the same in any order.
    key = frozenset(state.filled), frozenset(state.lines)
    known = KNOWN.setdefault(state.size, {})
    if key not in known:
        leads = []
        for move in GAME.legal(state):
            after = GAME.apply(state, state.mover, move)
            won = after.points[0] - state.points[0] - after.points[1] + state.points[1]
            leads.append(won + plain_gain(after))
        known[key] = max(leads) if state.mover == 0 else min(leads)
    return known[key]


KNOWN: dict[int, dict[tuple[frozenset[Cell], frozenset[Line]], int]] = {}


def drawing(size: int, seed: int, most: int) -> Match:
    """Return a random position of the drawing phase with no more open lines than that."""
    chance = random.Random(seed)
    match = Match.start(GAME, {"size": size}, 2)
    while match.game.phase(match.state) == "fill" or len(match.legal() or ()) > most:
        match = match.play(match.to_move[0], chance.choice(match.legal() or ()))
    return match


@pytest.mark.parametrize("size", [2, pytest.param(3, marks=pytest.mark.soak)])
def test_small_boards_solve_as_by_the_rules(size: int) -> None:
    solution = PLAYER.solve({"size": size}, compiled=False)
    lead = plain_gain(GAME.start({"size": size}, 2))
    assert solution.margin == abs(lead)
    assert solution.winner == (None if lead == 0 else 0 if lead > 0 else 1)
    assert solution.end == ("tie" if lead == 0 else "win")


@pytest.mark.parametrize(("size", "most"), [(3, 30), (4, 18), (5, 15), (8, 11)])
@seeds(60)
def test_solved_positions_have_the_value_and_moves_of_the_rules(size: int, most: int, seed: int) -> None:
    match = drawing(size, seed, most)
    if match.over:
        return
    state, sign = match.state, 1 if match.state.mover == 0 else -1

    def share(after: SpaghettiState) -> float:
        lead = sign * (after.points[0] - after.points[1] + plain_gain(after))
        return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5

    found = PLAYER.solved(PLAYER.position(match), 1_000_000)
    assert found is not None
    assert found.value == share(state)
    moves = {str(move): share(GAME.apply(state, state.mover, move)) for move in GAME.legal(state)}
    keeping = {move for move, value in moves.items() if value == found.value}
    assert {PLAYER.text(PLAYER.position(match), code) for code in found.best} == keeping


@pytest.mark.parametrize("size", [4, pytest.param(5, marks=pytest.mark.soak)])
def test_shipped_results_of_filled_boards_are_found_again(size: int) -> None:
    margins = read(size)
    assert sorted(margins) == boards(size)
    for key in chance_for("filled").sample(sorted(margins), sample(20)):
        position = PLAYER.position(Match.start(GAME, {"size": size}, 2))
        for number in range(size**2):
            if key >> number & 1:
                position.play(position.table.count + number)
        assert plain_leaf(position, -FAR, FAR)[0] == margins[key]


@pytest.mark.parametrize("seed", range(4))
def test_won_position_is_won_by_the_largest_margin(seed: int) -> None:
    match = drawing(5, seed, 14)
    found = PLAYER.solved(PLAYER.position(match), 1_000_000)
    assert found is not None
    state, sign = match.state, 1 if match.state.mover == 0 else -1
    after = match.play(state.mover, PLAYER.text(PLAYER.position(match), found.best[0])).state
    if found.value == 1:
        lead = state.points[0] - state.points[1] + plain_gain(state)
        assert sign * (after.points[0] - after.points[1] + plain_gain(after)) == sign * lead


def test_position_that_needs_too_many_nodes_is_left_open() -> None:
    assert PLAYER.solved(PLAYER.position(drawing(8, 1, 40)), 10) is None


@seeds(20)
def test_playout_ends_as_its_moves_do(seed: int) -> None:
    chance = random.Random(seed)
    match = Match.start(GAME, {"size": 8}, 2)
    for _ in range(seed):
        if not match.over:
            match = match.play(match.to_move[0], chance.choice(match.legal() or ()))
    position = PLAYER.position(match)
    trace: tuple[list[int], list[int]] = ([], [])
    shares = position.copy().playout(chance, trace)
    moves = tuple(map(iter, trace))
    while position.moves():
        code = next(moves[position.mover])
        assert code in position.moves()
        position.play(code)
    assert position.shares() == shares


def test_wide_position_is_estimated_within_the_limit() -> None:
    match = drawing(8, 3, 80)
    found = PLAYER.judged(PLAYER.position(match), 5_000)
    assert found is not None
    assert found.worth == WORTH
    assert found.nodes <= 5_001
    assert sorted(found.best) == sorted(PLAYER.position(match).moves())
    assert PLAYER.judged(PLAYER.position(match), 10) is None
    choice = choose(match, None, Budget(nodes=625), 0)
    assert (choice.exact, choice.visits) == (False, WORTH)
    assert choice.move == PLAYER.text(PLAYER.position(match), found.best[0])


@pytest.mark.soak
def test_estimates_keep_a_win_far_more_often_than_chance() -> None:
    kept, by_chance = 0, 0.0
    for seed in range(8):
        position = PLAYER.position(drawing(8, 40 + seed, 38))
        solved = PLAYER.solved(position, 1_000_000)
        found = PLAYER.judged(position, 600)
        assert solved is not None
        if found is not None and found.worth and solved.value == 1:
            kept += found.best[0] in solved.best
            by_chance += len(solved.best) / len(position.moves())
    assert kept > 2 * by_chance > 0


def test_estimate_without_a_limit_of_width_is_exact() -> None:
    for seed in range(6):
        position = PLAYER.position(drawing(8, 60 + seed, 24))
        root = Root(position, 1_000_000)
        root.estimate(FAR)
        best = max(
            -root.cost[line] - root.drawing.value(root.after[line], -FAR, FAR)
            for line in range(len(root.cost))
        )
        assert root.margin == best


def test_weak_level_misses_crossings_with_distant_strands_only() -> None:
    position = PLAYER.position(drawing(8, 3, 60))
    blind = PLAYER.perceived(position, Level(1, overlooked=1.0), random.Random(1))
    table = position.table
    assert blind.moves() == position.moves()
    missed = 0
    for code in position.moves():
        gone = position.table.crossing[code] & ~blind.table.crossing[code]
        strands = [other for other in range(table.count) if gone >> other & 1]
        assert all(position.drawn >> strand & 1 and table.apart(code, strand) for strand in strands)
        missed += len(strands)
    assert missed
    keen = PLAYER.perceived(position, Level(1, overlooked=0.0), random.Random(1))
    assert keen.table.crossing == table.crossing


def test_tables_say_which_lines_cross() -> None:
    table = tables(4)
    for code, line in enumerate(table.lines):
        for other_code, other in enumerate(table.lines):
            apart = {*line}.isdisjoint(other)
            assert bool(table.crossing[code] >> other_code & 1) == (apart and line.crosses(other))
            assert bool(table.touching[code] >> other_code & 1) == (not apart)


def test_player_is_found_by_the_name_of_the_game() -> None:
    assert isinstance(find_player(GAME), SpaghettiPlayer)
    assert isinstance(PLAYER.position(Match.start(GAME, {}, 2)), SpaghettiPosition)
