"""Things lie inside a polygon, in the middle if they fit there; a thing that is too large has no position."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.games.maze.labels import Room, box, disc
from tests.rules.walks import trials

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
WEDGE = ((0.0, 0.0), (12.0, 0.0), (0.0, 5.0))


@trials(60)
@given(radius=st.floats(0.1, 5))
def test_what_fits_in_the_middle_lies_there(radius: float) -> None:
    assert Room.of(SQUARE, (5, 5)).fit(disc(radius)) == (5, 5)


def test_a_wedge_holds_its_incircle_and_nothing_larger() -> None:
    room = Room.of(WEDGE, (4, 5 / 3))
    assert room.fit(disc(2)) == pytest.approx((2, 2))
    assert room.fit(disc(2.001)) is None
    assert room.slack((2, 2), disc(1.5)) == pytest.approx(0.5)


@trials(60)
@given(width=st.floats(0.1, 12), height=st.floats(0.1, 5))
def test_a_box_fits_a_wedge_when_its_corner_stays_below_the_slope(width: float, height: float) -> None:
    at = Room.of(WEDGE, (4, 5 / 3)).fit(box(width, height))
    if width / 12 + height / 5 < 0.999:
        assert at is not None
        x, y = at
        assert x - width / 2 >= -1e-6
        assert y - height / 2 >= -1e-6
        assert (x + width / 2) / 12 + (y + height / 2) / 5 <= 1 + 1e-6
    elif width / 12 + height / 5 > 1.001:
        assert at is None


@trials(60)
@given(turn=st.floats(0, 2 * math.pi), number=st.integers(3, 9))
def test_either_way_round_and_with_corners_on_a_straight_line(turn: float, number: int) -> None:
    angles = [turn + 2 * math.pi * corner / number for corner in range(number)]
    corners = [(7 * math.cos(angle), 7 * math.sin(angle)) for angle in angles]
    halfway = ((corners[0][0] + corners[-1][0]) / 2, (corners[0][1] + corners[-1][1]) / 2)
    inner = 7 * math.cos(math.pi / number)
    for outline in (corners, corners[::-1], [*corners, halfway]):
        room = Room.of(outline, (0, 0))
        assert len(room.sides) == number
        assert room.slack((0, 0), disc(0)) == pytest.approx(inner)


def test_the_pad_is_kept() -> None:
    room = Room.of(SQUARE, (5, 5))
    assert room.fit(disc(4), pad=1) == (5, 5)
    assert room.fit(disc(4), pad=1.1) is None
