"""Leaderboards as pictures: small, legible, without overlaps, and described in words."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.board.text import ALT_LIMIT
from render.charts.computer_mark import computer
from render.charts.leaderboard import (
    MEDALS,
    ChartRow,
    LeaderboardChart,
    draw_leaderboard,
    leaderboard_alt,
    leaderboard_scene,
    medal,
)
from render.engine.scene import Area, Disc, Group, Role
from render.engine.theme import THEMES
from tests.render.board.test_every_picture import texts_can_be_read
from tests.render.test_picture import check_chart
from tests.rules.walks import trials
from tests.seeds import CHARACTERS

ROWS = st.builds(
    ChartRow,
    rank=st.integers(1, 99_999),
    score=st.integers(-2000, 4000),
    games=st.integers(1, 99_999),
    climbed=st.none() | st.integers(-9_999, 9_999),
    sure=st.booleans(),
    own=st.booleans(),
    computer=st.booleans(),
    names=st.lists(
        st.text(CHARACTERS, max_size=32) | st.sampled_from(["Ada", "W" * 32, "花子"]), max_size=3
    ).map(tuple),
)
CHARTS = st.builds(
    LeaderboardChart,
    title=st.sampled_from(["All games", "Alaric", "Uncooked Spaghetti and Square Meatballs"]),
    about=st.sampled_from(["everywhere · all time", "this server · November 2026"]),
    rows=st.lists(ROWS, max_size=10).map(tuple),
    around=st.lists(ROWS, max_size=3).map(tuple),
    moving=st.booleans(),
)
FULL = LeaderboardChart(
    "All games",
    "everywhere · all time",
    tuple(
        ChartRow(rank, 1400 - 30 * rank, 900 // rank, ("Ada Lovelace",), rank % 3 - 1)
        for rank in range(1, 11)
    ),
    (
        ChartRow(70, 950, 3, sure=False),
        ChartRow(71, 949, 12, ("Grace",), -2, own=True),
        ChartRow(71, 949, 4, climbed=4),
    ),
)


@trials(60)
@given(chart=CHARTS)
def test_every_text_is_legible_and_stands_alone(chart: LeaderboardChart) -> None:
    scene = leaderboard_scene(chart)
    texts_can_be_read(scene)


def test_long_title_is_shrunk_to_the_page() -> None:
    texts_can_be_read(leaderboard_scene(replace(FULL, title="The Longest Title of All Games " * 2)))


@pytest.mark.parametrize("theme", THEMES)
def test_a_full_board_is_small_and_keeps_to_its_palette(theme: str) -> None:
    check_chart(partial(draw_leaderboard, FULL, theme), theme)


def test_the_picture_marks_who_looks_once() -> None:
    assert "own" in leaderboard_scene(FULL).named()
    assert "own" not in leaderboard_scene(LeaderboardChart("All games", "everywhere", FULL.rows)).named()


def test_a_computer_player_is_told_by_shape_and_in_words() -> None:
    def marks(*computers: bool) -> int:
        rows = tuple(ChartRow(rank, 1000 - rank, 9, computer=it) for rank, it in enumerate(computers, 4))
        heads = [
            it
            for it in leaderboard_scene(LeaderboardChart("Alaric", "everywhere", rows)).shapes
            if it == head(it)
        ]
        return len(heads)

    def head(shape: object) -> object:
        at = shape.at if isinstance(shape, Group) else (0.0, 0.0)
        return computer(at, 15, Role.SEAT_2, Role.PAGE)

    assert [marks(False, False), marks(True, False), marks(True, True)] == [0, 2, 3], "one is the legend's"
    row = ChartRow(4, 1234, 9, computer=True)
    assert "4: 1234, 9 games, computer player." in leaderboard_alt(
        LeaderboardChart("Alaric", "here", (row,), moving=False)
    )


def test_medals_differ_without_their_colours() -> None:
    def bare(rank: int) -> list[object]:
        shapes = medal(rank, (0, 0), 1).shapes
        return [shape.points if isinstance(shape, Area) else type(shape) for shape in shapes[2:]]

    assert len({str(bare(rank)) for rank in range(1, MEDALS + 1)}) == MEDALS
    assert any(isinstance(shape, Disc) for shape in medal(2, (0, 0), 1).shapes)


def test_the_words_tell_what_the_picture_shows() -> None:
    assert leaderboard_alt(FULL).startswith(
        "Leaderboard: All games, everywhere · all time. 1: Ada Lovelace, 1370, 900 games. "
        "2: Ada Lovelace, 1340, 450 games, up 1. 3: Ada Lovelace, 1310,"
    )
    assert "71: Grace, 949, 12 games, down 2, you." in leaderboard_alt(FULL)
    assert "70: 950, uncertain, 3 games, new." in leaderboard_alt(FULL)


@trials(60)
@given(chart=CHARTS, limit=st.integers(120, ALT_LIMIT))
def test_the_words_keep_within_their_limit(chart: LeaderboardChart, limit: int) -> None:
    assert len(leaderboard_alt(chart, limit)) <= limit
