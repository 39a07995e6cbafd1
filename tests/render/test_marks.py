"""The marks of the games."""

from io import BytesIO

import pytest
from PIL import Image

from render.games import HOSTED_GAMES, skull
from render.marks import MARK_SIZE, mark_png
from tests.rules.walks import AnyGame, key

LARGEST = 256 * 1024
"""Discord's limit for an emoji, in bytes."""


def small(png: bytes) -> bytes:
    """Return the pixels of a mark as it is shown in a line of text."""
    return Image.open(BytesIO(png)).resize((20, 20)).tobytes()


@pytest.mark.parametrize("game", HOSTED_GAMES, ids=key)
def test_every_game_has_a_mark_of_its_own(game: AnyGame) -> None:
    png = mark_png(game.key)
    picture = Image.open(BytesIO(png))
    assert picture.size == (MARK_SIZE, MARK_SIZE)
    assert picture.mode == "RGBA"
    assert picture.getpixel((0, 0)) == (0, 0, 0, 0)
    assert len(png) <= LARGEST
    assert all(small(png) != small(mark_png(other.key)) for other in HOSTED_GAMES if other is not game)


def test_mark_defaults_to_letters_of_the_title(monkeypatch: pytest.MonkeyPatch) -> None:
    own = small(mark_png("skull"))
    monkeypatch.delattr(skull, "MARK")
    default = small(mark_png("skull"))
    assert default not in (own, small(mark_png("alaric")))
    assert len(set(default)) > 1
