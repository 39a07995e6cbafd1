"""Pictures are put together from kept tiles, and are the same as if nothing had been kept."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from render.engine.brush import LESS_FINE
from render.engine.grid import Grid
from render.engine.raster import paint
from render.engine.scene import Scene
from render.engine.theme import PAPER, THEMES
from render.engine.tiles import forget_tiles, tiled_pictures, tiled_png
from render.games import HOSTED_GAMES
from render.picture import draw, scene
from render.replay import positions
from rules.core.game import Game
from rules.core.match import Match
from rules.games import find
from tests.rules.walks import finish, starts, step, trials

STRAY = 20
"""Pixels of a picture that may differ a little where a tile ends, because coordinates are rounded from its corner."""


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    forget_tiles()
    yield
    forget_tiles()


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.key, marks=[pytest.mark.soak] if number % 2 else [])
        for number, game in enumerate(HOSTED_GAMES)
    ],
)
@trials(30)
@given(data=st.data())
def test_a_picture_from_kept_tiles_is_the_one_from_none(game: Game[Any, Any], data: st.DataObject) -> None:
    """Over the moves of a game, for everybody and for a player, in both themes."""
    match = data.draw(starts(game))
    chance = random.Random(data.draw(st.integers(0, 9999)))
    match = finish(match, chance, chance.randrange(40))
    seen = []
    for _ in range(2):
        seats = [None, *range(match.setup.players)]
        seen += [(scene(match.observe(chance.choice(seats))), chance.choice([*THEMES.values()]))]
        match = match if match.over else step(match, chance)
    kept = [tiled_png(*one) for one in seen]
    for (page, theme), picture in zip(seen, kept, strict=True):
        forget_tiles()
        assert tiled_png(page, theme) == picture
    assert strays(kept[-1], paint(*seen[-1], fine=LESS_FINE)) <= STRAY


def strays(png: bytes, whole: Image.Image) -> int:
    """Return the number of pixels that differ from those of a picture that was drawn as a whole."""
    with Image.open(BytesIO(png)) as picture:
        assert picture.size == whole.size
        difference = ImageChops.difference(picture.convert("RGB"), whole.convert("RGB")).convert("L")
    return sum(difference.histogram()[1:])


def test_what_one_player_sees_does_not_reach_the_picture_of_another() -> None:
    """The rows of Palindromes are hidden. Whatever was drawn before, a picture shows what it shows when drawn first."""
    match = Match.start(find("palindromes"), {}, 2)
    match = finish(match, random.Random(4), 1)
    viewers = None, 0, 1
    alone = {}
    for viewer in viewers:
        forget_tiles()
        alone[viewer] = draw(match.observe(viewer))
    assert len(set(alone.values())) == len(viewers)
    for first in viewers:
        forget_tiles()
        draw(match.observe(first))
        for then in viewers:
            assert draw(match.observe(then)) == alone[then]


@pytest.mark.parametrize("width", [500, 420])
def test_each_frame_is_the_one_drawn_alone(width: int) -> None:
    """The pages of a whole game have different heights: with scores, a legend or neither."""
    match = finish(Match.start(find("maze"), {"size": 3}, 2), random.Random(1), 100)
    pages = [scene(seen) for seen in positions(match)]
    assert len({page.height for page in pages}) > 1
    frames = [frame.copy() for frame in tiled_pictures(pages, PAPER, width)]
    for page, frame in list(zip(pages, frames, strict=True))[::7]:
        forget_tiles()
        (alone,) = tiled_pictures([page], PAPER, width)
        assert alone.size == frame.size == (width, round(page.height * width / page.width))
        assert alone.tobytes() == frame.tobytes()
        assert alone.getpalette() == frame.getpalette()


def test_threads_that_share_the_tiles_draw_what_one_draws() -> None:
    starts = [Match.start(game, {}, game.seats[0]) for game in HOSTED_GAMES]
    pages = [scene(finish(it, random.Random(2), moves).observe(None)) for it in starts for moves in (4,)]
    alone = [tiled_png(page, PAPER) for page in pages]
    forget_tiles()
    with ThreadPoolExecutor(4) as pool:
        shared = list(pool.map(lambda page: tiled_png(page, PAPER), [*pages, *reversed(pages)]))
    assert shared == [*alone, *reversed(alone)]


def test_an_empty_page_is_of_the_colour_of_the_page() -> None:
    with Image.open(BytesIO(tiled_png(Scene(130, 70, ()), PAPER))) as picture:
        assert picture.size == (130, 70)
        assert picture.convert("RGB").getcolors() == [(130 * 70, (247, 241, 227))]


@pytest.mark.parametrize(("page", "width"), [(900, 900), (1200, 1200), (900, 500), (900, 420), (127, 127)])
def test_the_tiles_of_a_grid_cover_the_whole_width(page: int, width: int) -> None:
    grid = Grid.of(page, width)
    assert grid.columns * grid.side >= page
    assert grid.pixels * page == grid.side * width
