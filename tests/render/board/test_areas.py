"""Areas of closed lines, and the roomiest point in them, against plain arithmetic."""

import math

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from render.board.areas import away, crosses, hatch, label_point
from render.engine.scene import Point, Role
from tests.rules.walks import trials

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
HOLE = ((3.0, 3.0), (7.0, 3.0), (7.0, 7.0), (3.0, 7.0))
BOW_TIE = ((0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0))
WITH_A_SPIKE = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 4.0), (2.0, 9.0), (2.0, 4.0), (0.0, 4.0))


@pytest.mark.parametrize(
    ("loops", "size"),
    [
        ([], 0),
        ([SQUARE], 100),
        ([SQUARE, HOLE], 84),
        ([BOW_TIE], 8),
        ([WITH_A_SPIKE], 16),
        ([SQUARE, SQUARE], 0),
    ],
)
def test_an_area_lies_inside_an_odd_number_of_loops(loops: list[tuple[Point, ...]], size: float) -> None:
    """The area is that of its hatching, whose lines are close together."""
    for slant in (10, 45, 80):
        lines = hatch(loops, 0.02, slant, 0.0, Role.INK)
        assert 0.02 * sum(math.dist(*line.points) for line in lines) == pytest.approx(size, rel=0.01)


def test_a_spike_is_no_area() -> None:
    assert max(at[1] for line in hatch([WITH_A_SPIKE], 0.1, 60, 0.0, Role.INK) for at in line.points) <= 4
    at, radius = label_point(WITH_A_SPIKE)
    assert (*at, radius) == pytest.approx((2, 2, 2), abs=0.01)


@trials(30)
@given(data=st.data(), turn=st.floats(0, 2 * math.pi))
def test_a_label_point_has_the_most_room(data: st.DataObject, turn: float) -> None:
    """Against every point of a grid, by plain arithmetic."""
    reaches = data.draw(st.lists(st.integers(3, 10), min_size=5, max_size=9))
    angles = [turn + 2 * math.pi * corner / len(reaches) for corner in range(len(reaches))]
    star = [(reach * math.cos(at), reach * math.sin(at)) for reach, at in zip(reaches, angles, strict=True)]
    at, radius = label_point((*star,))
    assert inside(star, at)
    assert gap(star, at) == pytest.approx(radius, abs=1e-6)
    grid = [(x / 2, y / 2) for x in range(-20, 21) for y in range(-20, 21)]
    assert radius >= max(gap(star, point) for point in grid if inside(star, point)) - 0.05


def gap(outline: list[Point], point: Point) -> float:
    """Return the distance of a point from the nearest side."""
    (x, y), nearest = point, math.inf
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
        share = min(1.0, max(0.0, share))
        nearest = min(nearest, math.dist(point, (ax + (bx - ax) * share, ay + (by - ay) * share)))
    return nearest


def inside(outline: list[Point], point: Point) -> bool:
    """Return True if a ray to the right crosses an odd number of sides."""
    crossed = 0
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (ay <= point[1]) != (by <= point[1]):
            crossed += ax + (bx - ax) * (point[1] - ay) / (by - ay) > point[0]
    return crossed % 2 == 1


BOXES = st.tuples(*[st.integers(-4, 4)] * 4).map(
    lambda it: (min(it[0], it[2]), min(it[1], it[3]), max(it[0], it[2]), max(it[1], it[3]))
)
POINTS = st.tuples(st.integers(-6, 6), st.integers(-6, 6))


@trials(200)
@given(box=BOXES, start=POINTS, end=POINTS)
def test_a_line_crosses_a_box_as_in_shapely(
    box: tuple[int, int, int, int], start: tuple[int, int], end: tuple[int, int]
) -> None:
    """Whole coordinates make lines that touch a corner or run along an edge likely."""
    assert crosses(box, start, end) == shapely.box(*box).intersects(shapely.LineString((start, end)))
    assert away(start, *box) == pytest.approx(shapely.box(*box).distance(shapely.Point(start)))
