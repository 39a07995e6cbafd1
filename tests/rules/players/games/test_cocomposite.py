"""The computer player of Co-Compositeness: its solver against a plain search over the rules, and its blind spot."""

import random
from math import gcd
from typing import Any

import pytest

from rules.core.match import Match
from rules.games.cocomposite import Cocomposite, CocompositeState
from rules.players.choose import choose
from rules.players.games.cocomposite import CocompositePlayer
from rules.players.games.cocomposite.endings import alive, result, solve_ending, solve_for_several
from rules.players.games.cocomposite.openings import key, openings, walk, walks
from rules.players.games.cocomposite.position import CocompositePosition, board
from rules.players.levels import STRONGEST
from rules.players.solve import results
from tests.rules.walks import played, step
from tests.seeds import chance_for, sample

GAME = Cocomposite()


def margin(state: CocompositeState, known: dict[Any, int]) -> int:
    """Return the points that the mover wins by from here on, by the rules alone."""
    key = (state.squares, state.path[-1:])
    if key not in known:
        mover, before = state.mover, state.points
        values = []
        for move in GAME.legal(state) if GAME.to_move(state) else ():
            after = GAME.apply(state, mover, move)
            values.append(after.points[mover] - before[mover] - margin(after, known))
        known[key] = max(values, default=0)
    return known[key]


def sign(number: int) -> float:
    return (1 + (number > 0) - (number < 0)) / 2


def late(size: int, plies: int, seed: int) -> Match | None:
    """Return a game after some random plies, or None if it ended before."""
    match = Match.start(GAME, {"size": size}, 2)
    chance = random.Random(seed)
    for _ in range(plies):
        match = step(match, chance)
        if match.over:
            return None
    return match


def test_solver_agrees_with_a_plain_search_over_the_rules() -> None:
    solved_positions = 0
    for seed in range(8):
        match = late(4, 8, seed)
        if match is None:
            continue
        state: CocompositeState = match.state
        known: dict[Any, int] = {}
        lead = state.points[state.mover] - state.points[1 - state.mover]
        position = CocompositePosition.of(state)
        solved = solve_ending(position, 10**6)
        assert solved is not None
        assert solved.value == sign(lead + margin(state, known))
        keeping = {}
        for move in GAME.legal(state):
            after = GAME.apply(state, state.mover, move)
            total = after.points[state.mover] - after.points[1 - state.mover] - margin(after, known)
            if sign(total) == solved.value:
                keeping[GAME.format(move)] = total
        best = [position.board.texts[code] for code in solved.best]
        assert sorted(best) == sorted(keeping)
        assert [keeping[text] for text in best] == sorted(keeping.values(), reverse=True)
        solved_positions += 1
    assert solved_positions > 5


def test_solver_leaves_long_walks_of_several_players_to_the_search() -> None:
    """A walk over the largest board is longer than Python can nest calls."""
    start = played(GAME, "j10", players=3, size=20)
    assert solve_for_several(CocompositePosition.of(start.state), 40_000) is None


def within(state: CocompositeState, low: int, high: int, known: dict[Any, tuple[int, int]]) -> int:
    """Return the same between two bounds, fail-soft; `known` has the least and the most that was proved."""
    key = (state.squares, state.path[-1:])
    least, most = known.get(key, (-99, 99))
    if least >= high or most <= low or least == most:
        return least if least >= high else most
    mover, best = state.mover, -99
    afters = [GAME.apply(state, mover, move) for move in GAME.legal(state)]
    for after in sorted(afters, key=lambda after: (-after.points[mover], len(GAME.legal(after)))):
        gain = after.points[mover] - state.points[mover]
        best = max(best, gain - within(after, gain - high, gain - max(low, best), known))
        if best >= high:
            break
    best = best if afters else 0
    known[key] = (
        best if best > low else least,
        best if best < high else most,
    )
    return best


@pytest.mark.soak
def test_smallest_board_is_solved_alike_by_the_rules() -> None:
    start = GAME.start({"size": 4}, 2)
    # Other first squares are these, turned or mirrored.
    values = [
        -within(GAME.apply(start, 0, GAME.parse(start, 0, text)), -2, 0, {}) for text in ("a1", "b1", "b2")
    ]
    assert max(values) == 1


def test_first_player_wins_the_smallest_board_by_a_point() -> None:
    (line,) = results(["cocomposite", "--size", "4"])
    assert (line["winner"], line["margin"], line["end"]) == (0, 1, "win")


def test_strongest_level_says_when_its_value_is_proved() -> None:
    match = late(4, 8, 5)
    assert match is not None
    choice = choose(match, None, STRONGEST, 0)
    assert choice.exact
    assert choice.value in (0, 0.5, 1)


def test_squares_that_no_number_can_join_count_as_full() -> None:
    rows = alive(4)
    tables = board(4)
    for turn, row in enumerate(rows[:-1]):
        for held in range(turn):
            joined = any(gcd(2 * held + 1, 2 * later + 1) > 1 for later in range(turn, 32))
            assert (row[held + 1] != 1) == joined
    assert rows[5][tables.full] == 1


def test_common_factors_from_seven_up_are_hard_to_see() -> None:
    player = CocompositePlayer()
    position = CocompositePosition.empty(16)
    position.here = 0
    for number, joined, hard in ((9, 3, 0), (25, 5, 0), (21, 7, 0.5), (33, 11, 1), (39, 13, 1), (45, 15, 0)):
        position.turn = number // 2
        position.held[1] = joined // 2 + 1
        assert player.hidden(position, 1) == hard
    assert player.hidden(position, 16) == 0


@pytest.mark.soak
def test_shipped_results_of_walks_are_found_again() -> None:
    known = dict(walks())
    assert len(known) == 2380
    for number in chance_for("walks").sample(sorted(known), sample(10)):
        position = known[number]
        assert number == key(walk(position))
        assert openings().result(position) == result(position)


def test_walk_is_the_same_when_nine_joins_three() -> None:
    match = played(GAME, "a1", "b1", "b2", "a2", "b1", size=5)
    assert match.scores == (1, 0)
    assert walk(CocompositePosition.of(match.state)) == (0, 1, 6, 5, 1)
