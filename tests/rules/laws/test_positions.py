"""Equal positions go on alike, however they were reached; mirrored and turned matches are the same match."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.match import Match
from rules.games import find
from tests.rules.images import images, orbit, walks
from tests.rules.walks import SUBJECTS, AnyGame, finish, key, matches, trials
from tests.seeds import sample

SMALL = {
    "skull": {"width": 3, "height": 3},
    "alaric": {"size": 5},
    "xlines": {"size": 3},
    "polygons": {"dots": 2, "size": 10},
    "spaghetti": {"size": 2},
    "maze": {"size": 3},
    "cocomposite": {"size": 4},
}
ONE_ORDER = {"cocomposite", "polygons"}
"""Games in which, on the board above, hardly any position is reached in two ways."""

TRANSPOSED = [
    ("skull", "c3 c4 c2 c5", "c4 c3 c5 c2"),
    ("alaric", "1 5 3", "3 5 1"),
    ("xlines", "a1 c3 e5", "e5 c3 a1"),
    ("polygons", "a1 c3 e6", "e6 c3 a1"),
    ("spaghetti", "c3 d4 e6", "e6 d4 c3"),
    ("maze", "a2-b2 a3-b3 a4-b4", "a4-b4 a3-b3 a2-b2"),
]

STORED_KEYS = [
    ("skull", "c3 c4 d4", 5887006990911247521),
    ("alaric", "1 5 3", 3337543335335634060),
    ("xlines", "a1 c3 e5", 2861466109235397177),
    ("polygons", "a1 c3 e6", 2944791228571580335),
    ("spaghetti", "c3 d4 e6", 8743868358723281327),
    ("maze", "a2-b2 a3-b3 a4-b4", -8980520466126419815),
    ("cocomposite", "c3 d4", 7266399012722955253),
    ("palindromes", "", 3228517837235684249),
]


def played(game: str, moves: str) -> Match:
    match = Match.start(find(game), {}, 2)
    for move in moves.split():
        match = match.play(match.to_move[0], move)
    return match


@pytest.mark.parametrize(("game", "one", "other"), TRANSPOSED)
def test_order_of_moves_makes_no_other_position(game: str, one: str, other: str) -> None:
    first, second = played(game, one), played(game, other)
    assert first.state != second.state
    assert first.game.position(first.state) == second.game.position(second.state)


@pytest.mark.parametrize("game", list(SMALL))
def test_equal_positions_have_the_same_moves_and_scores(game: str) -> None:
    found: dict[object, tuple[object, ...]] = {}
    ways: dict[object, set[object]] = {}
    for seed in range(80):
        match, chance = Match.start(find(game), SMALL[game], 2), random.Random(seed)
        while not match.over:
            position = match.game.position(match.state)
            future = (match.to_move, sorted(match.legal() or ()), match.scores)
            assert found.setdefault(position, future) == future
            ways.setdefault(position, set()).add(match.log)
            match = finish(match, chance, len(match.log) + 1)
    if game not in ONE_ORDER:
        assert any(len(logs) > 1 for logs in ways.values())


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
@pytest.mark.parametrize("game", [*SMALL, "palindromes"])
def test_key_is_the_same_only_for_images(game: str) -> None:
    orbits: dict[int, object] = {}
    keys: dict[object, int] = {}
    for seed in range(sample(60)):
        match, chance = Match.start(find(game), SMALL.get(game, {"cards": 8}), 2), random.Random(seed)
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


@pytest.mark.parametrize(("game", "moves", "number"), STORED_KEYS)
def test_keys_stay_as_they_are_stored(game: str, moves: str, number: int) -> None:
    """A change of these numbers needs a migration that forgets the stored keys of running matches."""
    assert played(game, moves).position_key == number
