"""A replay shows every observed position in order, and its file is small enough to be sent."""

import random
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from PIL.GifImagePlugin import GifImageFile

from render import THEMES, draw
from render.engine.scene import Role
from render.games import HOSTED_GAMES
from render.replay import GROWING, HELD, WIDTH, animate, positions
from rules.core.game import Game
from rules.core.match import Match
from rules.games import find
from tests.rules.walks import finish, played

pytestmark = pytest.mark.slow

LARGEST = 1024 * 1024
"""Bytes of an animation of a game at its default size."""


def finished(game: Game[Any, Any]) -> Match:
    return finish(Match.start(game, {}, game.seats[0]), random.Random(7), 400)


ONE_OF_ALL = [
    pytest.param(game, id=game.key, marks=[] if number == 2 else [pytest.mark.soak])
    for number, game in enumerate(HOSTED_GAMES)
]
"""The game whose film is made here; `make soak` makes those of all games."""


@pytest.mark.parametrize("game", ONE_OF_ALL)
def test_a_whole_game_fits_into_one_animation(game: Game[Any, Any]) -> None:
    match = finished(game)
    seen = list(positions(match))
    data = animate(seen)
    assert len(data) < LARGEST
    with Image.open(BytesIO(data)) as film:
        assert isinstance(film, GifImageFile)
        assert film.width == WIDTH
        # Pillow joins frames that look the same into one that stays longer.
        assert 1 < film.n_frames <= len(seen) * (1 + len(GROWING))
        film.seek(film.n_frames - 1)
        assert film.info["duration"] >= HELD


def test_positions_are_as_observed_at_the_time() -> None:
    match = Match.start(HOSTED_GAMES[0], {}, 2).play(0, "c3").play(1, "c4").play(0, "resign")
    assert [seen.plies for seen in positions(match)] == [0, 1, 2, 3]
    assert [seen.winners for seen in positions(match)] == [None, None, None, (1,)]
    assert [seen.prompt is not None for seen in positions(match, seat=0)] == [True, False, True, False]


def test_the_same_game_gives_the_same_bytes() -> None:
    match = Match.start(HOSTED_GAMES[1], {"size": 5}, 2).play(0, "1").play(1, "3")
    assert animate(positions(match)) == animate(positions(match))
    assert animate(positions(match), "slate") != animate(positions(match))


def test_new_lines_grow() -> None:
    match = Match.start(HOSTED_GAMES[2], {"size": 3}, 2)
    for move in ("a1", "c3", "b2", "a1-c1-c3", "c3-b3-b2"):
        match = match.play(match.to_move[0], move)
    with Image.open(BytesIO(animate(positions(match)))) as film:
        assert isinstance(film, GifImageFile)
        # Of the two lines, the last position shows one.
        assert film.n_frames == len(match.log) + 1 + len(GROWING)


def test_each_drawn_position_is_counted() -> None:
    match = Match.start(HOSTED_GAMES[1], {"size": 5}, 2).play(0, "1").play(1, "3")
    counts: list[tuple[int, int]] = []
    animate(positions(match), drawn=lambda done, of: counts.append((done, of)))
    assert counts == [(1, 3), (2, 3), (3, 3)]


def test_nothing_to_show_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one position"):
        animate([])


def test_positions_of_a_film_have_no_marks_of_legal_moves() -> None:
    """Gold marks where a wall of a maze can start, but here only the last wall and nothing before the first one."""
    match = played(find("maze"), "a3-c3", size=3)
    with Image.open(BytesIO(animate(positions(match), "paper"))) as film:
        first = film.convert("RGB")
    gold = THEMES["paper"].rgb(Role.ACCENT)
    assert gold not in {colour for _, colour in first.getcolors(1 << 24) or ()}
    with Image.open(BytesIO(draw(match.observe(None), "paper"))) as picture:
        assert gold in {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
