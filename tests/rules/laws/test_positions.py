"""Equal positions go on alike, however they were reached; mirrored and turned matches are the same match."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.game import Game
from rules.core.match import Match
from rules.games import GAMES, find
from tests.rules.images import images, orbit, walks
from tests.rules.plain import facts
from tests.rules.walks import SAMPLERS, SUBJECTS, AnyGame, finish, key, matches, trials
from tests.seeds import sample

LISTED = [game for game in GAMES if game.key not in SAMPLERS]
"""The games that list their legal moves."""


def played(game: AnyGame, moves: str) -> Match:
    match = Match.start(game, {}, 2)
    for move in moves.split():
        match = match.play(match.to_move[0], move)
    return match


TRANSPOSED = [game for game in GAMES if facts(game.key).transposed is not None]


@pytest.mark.parametrize("game", TRANSPOSED, ids=key)
def test_order_of_moves_makes_no_other_position(game: AnyGame) -> None:
    first, second = (played(game, moves) for moves in facts(game.key).transposed or ())
    assert first.state != second.state
    assert first.game.position(first.state) == second.game.position(second.state)


@pytest.mark.parametrize("game", LISTED, ids=key)
def test_games_that_leave_the_order_out_say_so(game: AnyGame) -> None:
    """A game that defines `position` leaves out how a position was reached, except the number of its moves."""
    own = type(game).position is not Game.position
    about = facts(game.key)
    assert about.transposed is not None or about.one_order or not own, (
        f"{game.key} has `position`, so the FACTS of tests/rules/plain/{game.key}.py need `transposed`, "
        "two orders of moves that lead to the same position."
    )


@pytest.mark.parametrize("game", LISTED, ids=key)
def test_equal_positions_have_the_same_moves_and_scores(game: AnyGame) -> None:
    found: dict[object, tuple[object, ...]] = {}
    ways: dict[object, set[object]] = {}
    for seed in range(80):
        match, chance = Match.start(game, facts(game.key).small, 2), random.Random(seed)
        while not match.over:
            position = match.game.position(match.state)
            future = (match.to_move, sorted(match.legal() or ()), match.scores)
            assert found.setdefault(position, future) == future
            ways.setdefault(position, set()).add(match.log)
            match = finish(match, chance, len(match.log) + 1)
    in_two_ways = any(len(logs) > 1 for logs in ways.values())
    assert in_two_ways or facts(game.key).one_order or type(game).position is Game.position


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(40)
@given(data=st.data())
def test_images_of_a_match_stand_like_it(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game, 12))
    legal = match.legal()
    for image in images(match):
        assert image.to_move == match.to_move
        assert image.scores == match.scores
        assert image.winners == match.winners
        assert len(image.legal() or ()) == len(legal or ())


@pytest.mark.parametrize("game", SUBJECTS, ids=key)
@trials(60)
@given(data=st.data())
def test_key_is_the_same_on_turned_boards(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(matches(game, 30))
    stages = next(walks(match))
    for walk in walks(match):
        assert [stage.position_key for stage in walk] == [stage.position_key for stage in stages[: len(walk)]]


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES, ids=key)
def test_key_is_the_same_only_for_images(game: AnyGame) -> None:
    orbits: dict[int, object] = {}
    keys: dict[object, int] = {}
    for seed in range(sample(60)):
        match, chance = Match.start(game, facts(game.key).small, 2), random.Random(seed)
        while not match.over:
            seen = orbit(match)
            assert orbits.setdefault(match.position_key, seen) == seen
            assert keys.setdefault(seen, match.position_key) == match.position_key
            match = finish(match, chance, len(match.log) + 1)


def test_key_depends_on_setup_and_on_who_plays() -> None:
    three = Match.start(find("cocomposite"), {}, 3)
    others = [
        three,
        Match.start(three.game, {}, 2),
        Match.start(three.game, {"size": 5}, 3),
        three.play(2, "resign"),
    ]
    assert len({match.position_key for match in others}) == 4
