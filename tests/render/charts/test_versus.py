"""Results of two players against each other as pictures: small, legible, without overlaps, and described in words."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render.board.text import ALT_LIMIT
from render.charts.career import Tally, VersusChart, draw_versus, versus_alt, versus_scene
from render.engine.theme import THEMES
from rules.games import GAMES
from tests.render.board.test_every_picture import texts_can_be_read
from tests.render.test_picture import LIMIT, keeps_to_its_palette
from tests.rules.walks import trials

NUMBER = st.integers(0, 12_345)
NAMES = st.sampled_from(("", "Ada", "Wilhelmina Wetherby", "W" * 20))


def chart(names: tuple[str, str], counts: list[tuple[int, int, int]]) -> VersusChart:
    tallies = tuple(
        Tally(game.sheet.title, *count, game.key)
        for game, count in zip(GAMES, counts, strict=False)
        if sum(count)
    )
    return VersusChart(names, Tally("all games", *(sum(it) for it in zip(*counts, strict=True))), tallies)


@trials(60)
@given(
    names=st.tuples(NAMES, NAMES), counts=st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=1, max_size=8)
)
def test_every_result_can_be_read(names: tuple[str, str], counts: list[tuple[int, int, int]]) -> None:
    shown = chart(names, counts)
    texts_can_be_read(versus_scene(shown))
    assert len(versus_alt(shown)) <= ALT_LIMIT


@pytest.mark.parametrize("theme", THEMES)
def test_the_picture_is_small(theme: str) -> None:
    png = draw_versus(chart(("Ada", "Grace"), [(5, 2, 3)] * 8), theme)
    assert len(png) < LIMIT
    with Image.open(BytesIO(png)) as image:
        keeps_to_its_palette(image, theme)


def test_the_results_are_told_in_words() -> None:
    told = versus_alt(chart(("Ada", ""), [(2, 0, 1), (3, 1, 0)]))
    assert (
        told
        == "Ada against second player: 5 to 1, 1 drawn. The Amazon Skull Game: 2 to 1. Alaric: 3 to 0, 1 drawn."
    )
