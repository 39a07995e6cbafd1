"""Known facts about Co-Compositeness, found by the referee and by the plain implementation, which share no code."""

import random
from math import gcd

import pytest

from rules.core.match import Match
from rules.games.cocomposite import Cocomposite, CocompositeState
from tests.rules.plain import cocomposite as cocomposite_plain
from tests.rules.plain.cocomposite import Square, name
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
def test_two_implementations_count_the_same_games(size: int) -> None:
    for depth, count in enumerate(PERFT[size]):
        assert by_referee(start(size), depth) == count
        assert cocomposite_plain.perft([], size, depth) == count


@pytest.mark.parametrize("size", range(4, 21))
def test_two_numbers_can_be_written_in_as_many_ways_as_a_king_can_move(size: int) -> None:
    assert by_referee(start(size), 2) == 4 * (size - 1) * (2 * size - 1)


def test_no_game_is_over_before_five_numbers() -> None:
    """7 in a corner can always go on to the 3, as 9; 9 in a corner need not find a square for 11."""
    paths: list[list[Square]] = [[]]
    ended = []
    for _ in range(5):
        paths = [[*path, square] for path in paths for square in cocomposite_plain.moves(path, 4)]
        ended.append(sum(not cocomposite_plain.moves(path, 4) for path in paths))
    assert ended == [0, 0, 0, 0, 160]


@seeds(40)
def test_random_games_agree_at_every_ply_to_the_last(seed: int) -> None:
    """Also who is on turn and what everyone has, with seats that leave now and then."""
    chance = random.Random(seed)
    size, seats = chance.randint(4, 10), chance.randint(2, 6)
    match = Match.start(GAME, {"size": size}, seats)
    path: list[Square] = []
    writers: list[int] = []
    playing = list(range(seats))
    turn = 0
    while not match.over:
        plain = {name(square): square for square in cocomposite_plain.moves(path, size)}
        assert set(match.legal() or ()) == plain.keys()
        assert match.to_move == (turn,)
        assert list(match.scores or ()) == cocomposite_plain.points(path, writers, seats)
        text = chance.choice(sorted(plain))
        if len(playing) > 2 and chance.random() < 0.05:
            leaver = chance.choice(playing)
            match = match.play(leaver, "resign")
            playing.remove(leaver)
            turn = next((seat for seat in playing if seat >= turn), playing[0])
        else:
            match = match.play(turn, text)
            path.append(plain[text])
            writers.append(turn)
            turn = next((seat for seat in playing if seat > turn), playing[0])
    assert cocomposite_plain.moves(path, size) == []
    points = cocomposite_plain.points(path, writers, seats)
    assert list(match.scores or ()) == points
    best = max(points[seat] for seat in playing)
    assert match.winners == tuple(seat for seat in playing if points[seat] == best)


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
