"""Tables of matches between servers as pictures: small, legible, without overlaps, and described in words."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.events.server_matches import BOARDS
from render.board.text import ALT_LIMIT
from render.charts.cross_table import Mark
from render.charts.match_table import (
    MatchSide,
    MatchTable,
    draw_match_table,
    match_table_alt,
    match_table_scene,
)
from render.engine.theme import THEMES
from tests.render.board.test_every_picture import texts_can_be_read
from tests.render.test_picture import check_chart
from tests.rules.walks import trials

NAMES = ("Ada Lovelace", "Grace", "Emmy Noether", "花子", "W" * 32, "")


@st.composite
def charts(draw: st.DrawFn) -> MatchTable:
    """A match on a few boards, with one game or two on each."""
    games = draw(st.integers(1, 2))
    side = st.builds(
        MatchSide,
        games=st.lists(st.sampled_from(Mark), min_size=games, max_size=games).map(tuple),
        points=st.integers(0, 2 * games),
        names=st.sampled_from(NAMES).map(lambda it: (it,)),
    )
    server = st.sampled_from((*NAMES, "The Society for Abstract Games")).map(lambda it: (it, "the hosts"))
    return MatchTable(
        draw(st.sampled_from(("Match: Alaric", "Match: Uncooked Spaghetti and Square Meatballs"))),
        "31 of 40 games are over",
        (draw(server), draw(server)),
        tuple(draw(st.lists(st.tuples(side, side), min_size=1, max_size=4))),
        draw(st.booleans()),
    )


def full(boards: int = max(BOARDS)) -> MatchTable:
    """A match whose hosts have won every board."""
    hosts, guests = MatchSide((Mark.WON,) * 2, 4, ("Ada",)), MatchSide((Mark.LOST,) * 2, 0, ("Lise",))
    return MatchTable(
        "Match: Alaric", "all games are over", (("Analysts",), ("Physicists",)), ((hosts, guests),) * boards
    )


@trials(20)
@given(chart=charts())
def test_every_text_is_legible_and_stands_alone(chart: MatchTable) -> None:
    texts_can_be_read(match_table_scene(chart))
    assert len(match_table_alt(chart)) <= ALT_LIMIT


@pytest.mark.parametrize("theme", THEMES)
def test_the_largest_table_is_small_and_keeps_to_its_palette(theme: str) -> None:
    texts_can_be_read(match_table_scene(full()))
    check_chart(partial(draw_match_table, full(), theme), theme)


def test_the_words_tell_the_score_and_the_boards() -> None:
    assert match_table_alt(full(2)) == (
        "Match: Alaric, all games are over. Analysts 4 : 0 Physicists. Board 1: Ada 2, Lise 0. Board 2: Ada 2, Lise 0."
    )
