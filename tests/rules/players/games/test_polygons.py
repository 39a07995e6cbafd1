"""Exact play of the joining phase of Polygons & Dots, compared with the rules."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.match import Match
from rules.core.notation import Cell
from rules.games.polygons import Polygons, PolygonsState, regions
from rules.players.games.polygons import PolygonsPlayer, hardest_last_dot
from rules.players.games.polygons.joining import JoiningSolver
from rules.players.games.polygons.plane import count_regions
from rules.players.games.polygons.position import NarrowPosition, hull
from rules.players.games.polygons.two_dots import winning_dots
from rules.players.levels import Budget
from tests.rules.walks import step, trials
from tests.seeds import seeds

GAME = Polygons()
PLAYER = PolygonsPlayer()
PLENTY = 10**9


@given(
    points=st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=3, max_size=9, unique=True)
)
@trials(300)
def test_regions_are_counted_as_by_the_rules(points: list[tuple[int, int]]) -> None:
    kept: list[tuple[int, int]] = []
    for x, y in points:
        pairs = ((one, other) for one in kept for other in kept if one < other)
        if all((b[0] - a[0]) * (y - a[1]) != (b[1] - a[1]) * (x - a[0]) for a, b in pairs):
            kept.append((x, y))
    if len(kept) < 3:
        return
    found = regions(tuple(Cell(x, y) for x, y in kept))
    odd = sum(region.owner == 0 for region in found)
    assert count_regions(kept) == (odd, len(found) - odd)


def test_three_segments_in_one_point_make_no_sliver() -> None:
    points = [(4, 2), (0, 2), (1, 0), (3, 4), (1, 4), (3, 0)]
    assert count_regions(points) == (3, 0)


def placed(seed: int, dots: int) -> Match:
    """Return a match in which all dots are placed at random."""
    chance = random.Random(seed)
    match = Match.start(GAME, {"dots": dots, "size": 12}, 2)
    while match.state.placing:
        match = step(match, chance)
    return match


def result(state: PolygonsState) -> float:
    """Return the share of seat 0 under best play, by the rules alone."""
    if state.over:
        winners = GAME.winners(state) or ()
        return 0.5 if len(winners) == 2 else float(winners == (0,))
    results = [result(GAME.apply(state, state.mover, move)) for move in GAME.legal(state)]
    return min(results) if state.mover else max(results)


@pytest.mark.parametrize(
    ("dots", "joined", "seed"), [(2, 0, 1), (2, 1, 2), (3, 1, 3), (3, 2, 4), (3, 1, 5), (4, 4, 6)]
)
def test_joining_is_solved_as_by_the_rules(dots: int, joined: int, seed: int) -> None:
    chance = random.Random(seed)
    match = placed(seed, dots)
    for _ in range(joined):
        match = step(match, chance)
    solved = PLAYER.solved(PLAYER.position(match), PLENTY)
    assert solved is not None
    seat = match.to_move[0]
    share = result(match.state)
    assert solved.value == (1 - share if seat else share)
    texts = {PLAYER.text(PLAYER.position(match), code) for code in solved.best}
    after = {text: result(match.play(seat, text).state) for text in match.legal() or ()}
    assert texts == {text for text in after if after[text] == share}


def test_a_small_budget_leaves_the_position_open() -> None:
    assert PLAYER.solved(PLAYER.position(placed(1, 4)), 50) is None


@pytest.mark.parametrize("size", [10, pytest.param(26, marks=pytest.mark.soak)])
def test_with_two_dots_each_the_second_player_wins(size: int) -> None:
    solution = PLAYER.solve({"dots": 2, "size": size}, compiled=False)
    assert (solution.winner, solution.margin, solution.end) == (1, 1, "win")


@seeds(16)
def test_last_of_four_dots_is_judged_as_by_joining(seed: int) -> None:
    chance = random.Random(seed)
    match = Match.start(GAME, {"dots": 2, "size": chance.choice((10, 17, 26))}, 2)
    for _ in range(3):
        match = step(match, chance)
    position = PLAYER.position(match)
    winning = winning_dots(position)
    for code in chance.sample(position.moves(), 20):
        after = position.played(code)
        joined = PLAYER.proved(after, PLENTY)
        assert joined == (0 if winning >> code & 1 else 1)


@pytest.mark.parametrize("points", [[(0, 0), (5, 0), (5, 4), (0, 6)], [(0, 0), (9, 1), (3, 7), (4, 3)]])
def test_four_dots_are_won_by_the_first_if_and_only_if_all_are_corners(points: list[tuple[int, int]]) -> None:
    solver = JoiningSolver(points, PLENTY)
    results = [solver.result((one, other)) for one in range(4) for other in range(4) if one != other]
    assert max(results) == (1 if len(hull(points)) == 4 else -1)


def test_search_names_fewer_points_than_the_rules_but_only_legal_ones() -> None:
    position = PLAYER.position(Match.start(GAME, {}, 2))
    narrow = NarrowPosition.like(position)
    chance = random.Random(1)
    while narrow.placing:
        codes = narrow.moves()
        assert 0 < len(codes) < len(position.moves())
        assert set(codes) <= set(position.moves())
        code = chance.choice(codes)
        narrow.play(code)
        position.play(code)
    assert sorted(narrow.moves()) == sorted(position.moves())


@pytest.mark.soak
def test_the_last_dot_of_the_second_player_leaves_few_winning_segments() -> None:
    chance = random.Random(3)
    match = Match.start(GAME, {"dots": 3, "size": 12}, 2)
    while len(match.log) < 5:
        match = step(match, chance)
    code, share = hardest_last_dot(PLAYER.position(match), PLENTY)
    assert share is not None
    for other in (code, *chance.sample(NarrowPosition.like(PLAYER.position(match)).moves(), 1)):
        after = match.play(1, PLAYER.text(PLAYER.position(match), other))
        values = [result(after.play(0, text).state) for text in after.legal() or ()]
        assert values.count(1.0) / len(values) >= share
        assert other != code or values.count(1.0) / len(values) == share
    assert share > 0
    choice = PLAYER.choose(match, 1, Budget(level=5), 1)
    assert (choice.value, choice.exact) == (0, False), "the opponent has a segment that wins"


def test_a_last_dot_that_is_too_hard_to_judge_has_no_value() -> None:
    chance = random.Random(3)
    match = Match.start(GAME, {"dots": 3, "size": 12}, 2)
    while len(match.log) < 5:
        match = step(match, chance)
    code, share = hardest_last_dot(PLAYER.position(match), 1)
    assert PLAYER.text(PLAYER.position(match), code) in (match.legal() or ())
    assert share is None
