"""Profiles as pictures: small, legible, without overlaps, and described in words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.board.text import ALT_LIMIT
from render.charts.career import CareerChart, Streak, Tally, career_alt, career_scene, draw_career
from render.engine.scene import Group, Stroke
from render.engine.theme import THEMES
from render.marks import ICONS
from rules.games import GAMES
from tests.render.board.test_every_picture import texts_can_be_read
from tests.render.test_picture import check_chart
from tests.rules.walks import trials

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
TITLES = [game.sheet.title for game in GAMES]
NUMBER = st.integers(0, 12_345)
TIMES = st.integers(0, 3 * 365 * 24 * 3600).map(lambda seconds: BEGIN + timedelta(seconds=seconds))
GAME = st.sampled_from(("alaric", "palindromes"))
CAREERS = st.builds(
    CareerChart,
    title=st.sampled_from(["All games", *TITLES]),
    about=st.sampled_from(["everywhere", "this server · 14 skulls donated"]),
    scores=st.lists(st.tuples(TIMES, st.integers(-500, 3000)), max_size=40).map(sorted).map(tuple),
    sure=st.booleans(),
    tallies=st.lists(
        st.builds(Tally, st.sampled_from(TITLES) | st.integers(0, 5), NUMBER, NUMBER, NUMBER, GAME),
        max_size=8,
    ).map(tuple),
    wins=st.builds(Streak, st.integers(0, 30), st.integers(0, 12_345)),
    unbeaten=st.builds(Streak, st.integers(0, 12_345), st.integers(0, 12_345)),
    computer=st.booleans(),
    name=st.sampled_from(("", "Ada")),
)


def career(streak: int = 7) -> CareerChart:
    scores = tuple((BEGIN + timedelta(hours=7 * number), 1000 + number % 17) for number in range(400))
    tallies = tuple(
        Tally(game.sheet.title, 30 - number, number, 2 * number, game.key)
        for number, game in enumerate(GAMES)
    )
    return CareerChart(
        "All games",
        "everywhere",
        scores,
        True,
        tallies,
        Streak(streak, 11),
        Streak(streak, 14),
        badges=tuple(ICONS),
    )


@trials(60)
@given(shown=CAREERS)
def test_every_text_is_legible_and_stands_alone(shown: CareerChart) -> None:
    scene = career_scene(shown)
    names = [str(tally.of) for tally in shown.tallies if not isinstance(tally.of, str)]
    if len(set(names)) == len(names):
        scene.named()
    texts_can_be_read(scene)


@pytest.mark.parametrize("theme", THEMES)
def test_a_long_career_is_small_and_keeps_to_its_palette(theme: str) -> None:
    check_chart(partial(draw_career, career(), theme), theme)


def test_the_line_rises_with_the_score() -> None:
    scores = ((BEGIN, 1000), (BEGIN + timedelta(days=1), 1050), (BEGIN + timedelta(days=3), 980))
    scene = career_scene(CareerChart("Alaric", "everywhere", scores, True, (), Streak(), Streak()))
    (line,) = next(
        shape.shapes for shape in scene.shapes if isinstance(shape, Group) and shape.name == "graph"
    )
    assert isinstance(line, Stroke)
    (x1, y1), (x2, y2), *_, (x3, y3) = line.points
    assert y2 < y1 < y3
    assert y3 - y2 > 50, "the range of the scores fills the graph"
    assert x3 - x2 == pytest.approx(2 * (x2 - x1))


def test_one_game_is_no_graph_yet() -> None:
    scene = career_scene(
        CareerChart("Alaric", "everywhere", ((BEGIN, 1012),), False, (), Streak(1, 1), Streak(1, 1))
    )
    assert "graph" not in scene.named()
    assert "1012?" in [text.words for text in scene.texts()]


def test_the_words_tell_what_the_picture_shows() -> None:
    told = career_alt(career())
    assert told.startswith(
        "All games, everywhere. Rating 1008; it was 1000 after the first game, on 1 Mar 2026. "
    )
    assert " 2026. Wins in a row: 7 · best run 11." in told
    assert "best run 11. Games without a loss: 7 · best run 14." in told
    assert f"{TITLES[1]}: 29 won, 1 drawn, 2 lost." in told
    program = career_alt(replace(career(), computer=True))
    assert program.startswith("All games, computer player · everywhere. Rating 1008;")
    seats = CareerChart("Alaric", "everywhere", (), False, (Tally(1, 2, 0, 1),), Streak(), Streak())
    assert career_alt(seats) == "Alaric, everywhere. No win yet. As second player: 2 won, 0 drawn, 1 lost."


@trials(60)
@given(shown=CAREERS, limit=st.integers(120, ALT_LIMIT))
def test_the_words_keep_within_their_limit(shown: CareerChart, limit: int) -> None:
    assert len(career_alt(shown, limit)) <= limit
