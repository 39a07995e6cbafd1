"""Pictures are small, repeatable, safe to draw in several threads, and in the colours of their theme."""

import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from render import THEMES, draw
from render.board.game_board import draw_board
from render.board.text import describe
from render.engine.scene import Scene
from render.engine.theme import palette
from render.games import HOSTED_GAMES
from render.picture import scene
from rules.core.game import Game
from rules.core.match import Match, Observation
from rules.games import find
from tests.rules.walks import finish

pytestmark = pytest.mark.slow

LIMIT = 150 * 1024
"""Bytes of a picture of a default board."""
POSTER_LIMIT = 225 * 1024
"""The same for the last picture of a game, which is larger."""
BOXES = ((550, 460), (360, 460))
"""Pixels that a picture may fill in a channel, on a desktop and on a phone."""

STAGES = [0, 15, 500]


@cache
def stage(game: Game[Any, Any], plies: int) -> Observation:
    match = Match.start(game, {}, game.seats[0])
    return finish(match, random.Random(plies), plies).observe(None)


@pytest.mark.parametrize(("plies", "theme"), [(15, "slate"), (500, "paper")])
@pytest.mark.parametrize("game", HOSTED_GAMES, ids=[game.key for game in HOSTED_GAMES])
def test_pictures_are_small_and_keep_to_their_palette(game: Game[Any, Any], plies: int, theme: str) -> None:
    seen = stage(game, plies)
    picture = draw(seen, theme)
    assert len(picture) <= (LIMIT if seen.winners is None else POSTER_LIMIT)
    with Image.open(BytesIO(picture)) as image:
        assert image.format == "PNG"
        assert image.width == (900 if seen.winners is None else 1200)
        assert keeps_to_its_palette(image, theme) in THEMES[theme].colours.values()


def check_chart(draw: Callable[[], bytes], theme: str) -> None:
    """Check that a chart is small, drawn alike each time, and in the colours of a theme."""
    picture = draw()
    assert len(picture) <= LIMIT
    assert draw() == picture
    with Image.open(BytesIO(picture)) as image:
        assert image.width == 900
        keeps_to_its_palette(image, theme)


def keeps_to_its_palette(image: Image.Image, theme: str) -> object:
    """Check that an image has no colours but those of a theme, and return the most frequent one."""
    colours = image.convert("RGB").getcolors(256)
    assert colours is not None
    assert {rgb for _, rgb in colours} <= set(palette(theme))
    return max(colours)[1]


@pytest.mark.parametrize("game", HOSTED_GAMES, ids=[game.key for game in HOSTED_GAMES])
def test_the_last_picture_is_the_largest(game: Game[Any, Any]) -> None:
    """It has the most pixels, and is shown about as large as those before it where room is short."""
    pages = [scene(stage(game, plies)) for plies in STAGES[:-1]]
    last = scene(stage(game, STAGES[-1]))
    for box in BOXES:
        area, *shown = [fitted(page, box) for page in (last, *pages)]
        assert area >= 0.85 * shown[-1]
    seen = stage(game, STAGES[-1])
    with Image.open(BytesIO(draw(seen))) as image:
        assert image.width * image.height > max(page.width * page.height for page in pages)


def fitted(page: Scene, box: tuple[int, int]) -> float:
    """Return the area of a page that is shown as large as a box allows."""
    share = min(box[0] / page.width, box[1] / page.height)
    return page.width * page.height * share * share


def test_an_unknown_theme_is_an_error() -> None:
    with pytest.raises(KeyError):
        draw(stage(HOSTED_GAMES[0], 0), "glass")


@pytest.mark.soak
def test_another_process_draws_the_same() -> None:
    script = (
        "from hashlib import sha256; from render import draw; from rules.core.match import Match;"
        "from rules.games import find; match = Match.start(find('skull'), {}, 2).play(0, 'c4').play(1, 'd4');"
        "print(sha256(draw(match.observe(None))).hexdigest())"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    match = Match.start(find("skull"), {}, 2).play(0, "c4").play(1, "d4")
    assert run.stdout.strip() == sha256(draw(match.observe(None))).hexdigest()


def test_a_view_without_a_picture_or_text_is_an_error_that_names_the_folder() -> None:
    seen = stage(HOSTED_GAMES[0], 0)
    with pytest.raises(LookupError, match="render/games"):
        draw_board(object(), seen)
    with pytest.raises(LookupError, match="render/games"):
        describe(object(), seen)
