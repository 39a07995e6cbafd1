"""The strip of a reviewed game: legible, without overlaps, and described in words."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.board.text import ALT_LIMIT
from render.charts.outlook import Expected, Mark, OutlookChart, draw_outlook, outlook_alt, outlook_scene
from render.engine.scene import Area, Disc
from render.engine.theme import THEMES
from rules.games import GAMES
from tests.render.board.test_every_picture import texts_can_be_read
from tests.render.test_picture import check_chart
from tests.rules.walks import trials


@st.composite
def charts(draw: st.DrawFn) -> OutlookChart:
    seats = draw(st.integers(2, 6))
    plies = draw(st.integers(1, 200))
    weights = st.lists(st.integers(1, 99), min_size=seats, max_size=seats)

    def expected(parts: list[int], exact: bool) -> Expected:
        return Expected(tuple(part / sum(parts) for part in parts), exact)

    known = st.none() | st.builds(expected, weights, st.booleans())
    at = sorted(draw(st.sets(st.integers(0, plies - 1), max_size=6)))
    marks = tuple(Mark(ply, draw(st.integers(0, seats - 1))) for ply in at)
    title = f"{draw(st.sampled_from([game.sheet.title for game in GAMES]))} #{draw(st.integers(1, 99999))}"
    return OutlookChart(
        title,
        draw(st.sampled_from(["6 moments", "no clear mistake"])),
        (
            *draw(st.lists(known, min_size=plies, max_size=plies)),
            Expected((1.0,) + (0.0,) * (seats - 1), True),
        ),
        marks,
    )


@trials(80)
@given(chart=charts())
def test_every_text_is_legible_and_stands_alone(chart: OutlookChart) -> None:
    scene = outlook_scene(chart)
    scene.named()
    texts_can_be_read(scene)
    assert all(0 < text.at[0] < scene.width and 0 < text.at[1] < scene.height for text in scene.texts())


def chart(*expected: Expected | None, marks: tuple[Mark, ...] = ()) -> OutlookChart:
    return OutlookChart("Alaric #17", "1 moment", expected, marks)


WON, LOST = Expected((1.0, 0.0), True), Expected((0.0, 1.0), True)
LIKELY = Expected((0.7, 0.3), False)


def test_moments_are_numbered_above_their_moves() -> None:
    shown = chart(LIKELY, LIKELY, WON, LOST, marks=(Mark(0, 0), Mark(2, 1)))
    names = outlook_scene(shown).named()
    assert {"moment 1", "moment 2", "seat 0", "seat 1"} <= set(names)


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ((WON, LOST), ["proved"]),
        ((LIKELY, LIKELY), ["estimated"]),
        ((LIKELY, WON, LOST), ["proved", "estimated"]),
    ],
)
def test_legend_explains_the_lines_that_are_there(expected: tuple[Expected, ...], words: list[str]) -> None:
    texts = [text.words for text in outlook_scene(chart(*expected)).texts()]
    assert [word for word in texts if word in ("proved", "estimated")] == words


def test_estimates_are_dotted_and_proofs_are_firm() -> None:
    def dots(*expected: Expected) -> int:
        placed = outlook_scene(chart(*expected)).placed()
        return sum(isinstance(shape, Disc) and 3 < shape.radius < 4 for shape, _, _ in placed)

    assert dots(WON, LOST) == 0
    assert dots(WON, LIKELY) > 10


def test_unknown_positions_leave_a_gap() -> None:
    def bands(*expected: Expected | None) -> int:
        return sum(
            isinstance(shape, Area) and len(shape.points) == 4
            for shape in outlook_scene(chart(*expected)).shapes
        )

    assert bands(WON, WON, WON) == 4
    assert bands(WON, None, WON) == 0


@pytest.mark.parametrize("theme", THEMES)
def test_picture_is_small_and_keeps_to_its_palette(theme: str) -> None:
    many = [LIKELY if ply % 3 else WON for ply in range(120)]
    check_chart(partial(draw_outlook, chart(*many, marks=(Mark(3, 0), Mark(4, 1))), theme), theme)


def test_words_say_what_the_picture_shows() -> None:
    shown = chart(LIKELY, None, WON, LOST, marks=(Mark(0, 0), Mark(2, 0)))
    said = outlook_alt(shown)
    assert said.startswith(
        "Alaric #17, 1 moment: the expected result after each of 3 moves. 2 moves gave something away."
    )
    assert "1: move 1 by the first player (ring), from 70% to unknown." in said
    assert "2: move 3 by the first player (ring), from 100% to 0%." in said
    assert "No clear mistake." in outlook_alt(chart(WON, WON))
    assert len(outlook_alt(shown, 90)) <= 90
    assert len(said) <= ALT_LIMIT
