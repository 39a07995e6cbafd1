"""Cross tables as pictures: small, legible, without overlaps, and described in words."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.board.text import ALT_LIMIT
from render.charts.cross_table import (
    MOST,
    CrossRow,
    CrossTable,
    Mark,
    cross_table_alt,
    cross_table_scene,
    draw_cross_table,
)
from render.engine.theme import THEMES
from tests.render.board.test_every_picture import LEGIBLE, PHONE, texts_can_be_read
from tests.render.test_picture import check_chart
from tests.rules.walks import trials

NAMES = ("Ada Lovelace", "Grace", "Emmy Noether", "花子", "W" * 32, "")


@st.composite
def charts(draw: st.DrawFn) -> CrossTable:
    """A table of a small group whose cells hold one game or two."""
    size, games = draw(st.integers(1, 6)), draw(st.integers(1, 2))
    cell = st.lists(st.sampled_from(Mark), min_size=games, max_size=games).map(tuple)
    rows = st.builds(
        CrossRow,
        rank=st.none() | st.integers(1, MOST),
        cells=st.lists(cell, min_size=size, max_size=size).map(tuple),
        points=st.sampled_from((0, 1, 29)),
        played=st.integers(0, 15),
        names=st.sampled_from(NAMES).map(lambda it: (it,)),
        computer=st.booleans(),
    )
    return CrossTable(
        draw(st.sampled_from(("Cup: Alaric", "Cup: Uncooked Spaghetti and Square Meatballs"))),
        draw(
            st.sampled_from(
                ("final group", "group A · 10 of 120 games are over · everybody plays everybody once")
            )
        ),
        tuple(draw(st.lists(rows, min_size=size, max_size=size))),
        final=draw(st.booleans()),
    )


def full(size: int = MOST, games: int = 1) -> CrossTable:
    """A table in which everybody has won against those below."""
    return CrossTable(
        "Cup: Alaric",
        "all games are over",
        tuple(
            CrossRow(
                row + 1,
                tuple((Mark.WON if row < it else Mark.LOST,) * games for it in range(size)),
                2 * games * (size - row - 1),
                games * (size - 1),
                (NAMES[row % len(NAMES)],),
            )
            for row in range(size)
        ),
        final=True,
    )


@trials(20)
@given(chart=charts())
def test_every_text_is_legible_and_stands_alone(chart: CrossTable) -> None:
    texts_can_be_read(cross_table_scene(chart))


@pytest.mark.parametrize(("size", "games"), [(MOST, 1), (6, 2)])
def test_every_text_of_the_largest_tables_is_legible(size: int, games: int) -> None:
    table = cross_table_scene(full(size, games))
    texts_can_be_read(table)
    assert min(text.size for text in table.texts()) * PHONE / table.width >= LEGIBLE


@pytest.mark.parametrize("theme", THEMES)
def test_the_largest_table_is_small_and_keeps_to_its_palette(theme: str) -> None:
    check_chart(partial(draw_cross_table, full(), theme), theme)


def test_the_three_best_of_a_final_table_have_medals() -> None:
    assert {it for it in cross_table_scene(full()).named() if it.startswith("medal")} == {
        "medal 1",
        "medal 2",
        "medal 3",
    }


@trials(20)
@given(chart=charts())
def test_the_words_name_the_first_and_fit(chart: CrossTable) -> None:
    words = cross_table_alt(chart)
    assert len(words) <= ALT_LIMIT
    assert words.startswith(f"Cross table: {chart.title}")


def test_the_words_tell_ranks_points_and_games() -> None:
    assert cross_table_alt(full(3)) == (
        "Cross table: Cup: Alaric, all games are over. 1: Ada Lovelace, 2 points of 2 games."
        " 2: Grace, 1 point of 2 games. 3: Emmy Noether, 0 points of 2 games."
    )
