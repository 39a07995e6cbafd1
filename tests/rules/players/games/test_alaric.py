"""Alaric's computer player: its tables against the rules, and its play from won, drawn and lost positions."""

import random

import pytest

from rules.core.match import Match
from rules.games.alaric import Alaric
from rules.players.choose import choose, find_player
from rules.players.games.alaric import AlaricPlayer
from rules.players.games.alaric.position import AlaricPosition
from rules.players.games.alaric.retrograde import (
    EXACT,
    SHIPPED,
    Ring,
    Seen,
    classifier,
    followers,
    path,
    read,
    solve,
    table,
    write,
)
from rules.players.levels import Budget
from tests.rules.plain import alaric_solved

MARGINS = {1: 1, 2: -1, 3: 2, 4: -2, 5: 3, 6: -2, 7: -1, 8: -1}
"""The first player's margin in stones with best play; larger rings are endless."""

PLAYER = AlaricPlayer()


@pytest.mark.parametrize("size", range(1, 7))
def test_every_position_has_the_margin_of_a_second_solver(size: int) -> None:
    ring, classify = solve(size), classifier(size)
    margins = alaric_solved.solve(size)
    assert {here: ring.decided.get(classify(*here), (0, 0))[0] for here in margins} == margins
    assert ring.classes == len({classify(*here) for here in margins})


@pytest.mark.soak
def test_shipped_tables_are_what_plain_python_finds() -> None:
    """They were made with numba, so this compares two solvers."""
    for size in (10, 11):
        decided = solve(size).decided
        assert table(size) == decided
        assert read(write(decided)) == decided
    assert all(path(size).exists() for size in SHIPPED)


@pytest.mark.parametrize("size", [13, *(pytest.param(size, marks=pytest.mark.soak) for size in (14, 15, 16))])
def test_shipped_tables_agree_with_themselves_one_move_on(size: int) -> None:
    """The margin of a position is the best among its moves, and a win is nearer by one ply after the best of them."""
    decided, classify, chance = table(size), classifier(size), random.Random(size)
    judged = 0
    for _ in range(60):
        here: Seen = (0, 0, 0)
        while after := followers(here, size):
            margin, plies = decided.get(classify(*here), (0, 0))
            values = [decided.get(classify(*it), (0, 0)) for it in after]
            assert margin == max(-value for value, _ in values)
            same = [left for value, left in values if value == -margin]
            if margin:
                assert plies == 1 + (min(same) if margin > 0 else max(same))
                judged += 1
            here = chance.choice(after)
        assert decided.get(classify(*here), (0, 0))[0] == here[0].bit_count() - here[1].bit_count()
    assert judged > 100


@pytest.mark.soak
@pytest.mark.parametrize("size", range(1, 15))
def test_numba_finds_the_same(size: int) -> None:
    from rules.players.games.alaric import compiled

    plain: Ring = solve(size)
    assert compiled.solve(size) == plain
    if size in SHIPPED:
        assert table(size) == plain.decided


@pytest.mark.parametrize("size", range(1, 11))
def test_results_of_whole_games(size: int) -> None:
    found = PLAYER.solve({"size": size}, compiled=False)
    margin = MARGINS.get(size)
    if margin is None:
        assert (found.winner, found.margin, found.end) == (None, None, "endless")
    else:
        assert (found.winner, found.margin, found.end) == (int(margin < 0), abs(margin), "win")


def place(size: int, here: Seen) -> AlaricPosition:
    return AlaricPosition(size, here[:2], here[2], 0)


@pytest.mark.parametrize("size", [9, pytest.param(10, marks=pytest.mark.soak)])
def test_moves_that_keep_the_value_are_named_and_no_others(size: int) -> None:
    decided, classify, chance = table(size), classifier(size), random.Random(size)
    values = set()
    for _ in range(60):
        here: Seen = (0, 0, 0)
        for _ in range(chance.randrange(3 * size)):
            here = chance.choice(followers(here, size) or [(0, 0, 0)])
        position = place(size, here)
        if not position.moves():
            continue
        found = PLAYER.solved(position, 1)
        assert found is not None
        values.add(found.value)
        for code, after in zip(position.moves(), followers(here, size), strict=True):
            lost = decided.get(classify(*after), (0, 0))[0]
            share = 0.5 if lost == 0 else float(lost < 0)
            assert (share == found.value) == (code in found.best)
            assert share <= found.value
    assert len(values) == 3


def won_position() -> tuple[AlaricPosition, tuple[int, ...]]:
    """Return a position of nine cells with several winning moves."""
    chance = random.Random(4)
    while True:
        here: Seen = (0, 0, 0)
        for _ in range(chance.randrange(3, 12)):
            here = chance.choice(followers(here, 9) or [(0, 0, 0)])
        position = place(9, here)
        found = PLAYER.solved(position, 1) if position.moves() else None
        if found is not None and found.value == 1 and len(found.best) > 1:
            return position, found.best


def test_a_win_that_leads_to_a_third_repetition_is_not_taken() -> None:
    position, winning = won_position()
    barred = position.played(winning[0])
    position.past = {barred.key: 2}
    found = PLAYER.solved(position, 1)
    assert found is not None
    assert found.value == 1
    assert winning[0] not in found.best
    keys = []
    for code in winning:
        after = position.played(code)
        keys.append(after.key)
    position.past = dict.fromkeys(keys, 2)
    assert PLAYER.solved(position, 1) is None


def test_a_lost_position_is_drawn_where_a_move_leads_to_a_third_repetition() -> None:
    position, winning = won_position()
    position.play(winning[0])
    code = position.moves()[-1]
    after = position.played(code)
    position.past = {after.key: 2}
    found = PLAYER.solved(position, 1)
    assert found is not None
    assert (found.value, found.best) == (0.5, (code,))


def test_exact_sizes_are_answered_at_once_and_larger_ones_are_searched() -> None:
    assert find_player(Alaric()).key == "alaric"
    for size in (13, max(EXACT)):
        assert choose(Match.start(Alaric(), {"size": size}, 2), 0, Budget(level=5), 0).exact
    assert not choose(Match.start(Alaric(), {"size": max(EXACT) + 1}, 2), 0, Budget(nodes=50), 0).exact
