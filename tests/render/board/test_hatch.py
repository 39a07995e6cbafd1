"""Hatching covers an area evenly and nothing else."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.board.areas import hatch
from render.engine.scene import Point, Role, Stroke
from tests.rules.walks import trials

pytestmark = pytest.mark.slow

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
HOLE = ((3.0, 3.0), (7.0, 3.0), (7.0, 7.0), (3.0, 7.0))

slants = st.sampled_from((0.0, 30.0, 45.0, 90.0, 135.0)) | st.floats(0, 180)


def lengths(strokes: list[Stroke]) -> float:
    return sum(math.dist(stroke.points[0], stroke.points[-1]) for stroke in strokes)


@trials(60)
@given(slant=slants, turn=st.floats(0, 2 * math.pi))
def test_lines_cover_an_area_evenly(slant: float, turn: float) -> None:
    star = [
        (math.cos(turn + k * math.pi / 5) * reach, math.sin(turn + k * math.pi / 5) * reach)
        for k, reach in enumerate((9, 4) * 5)
    ]
    area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(star, [*star[1:], star[0]], strict=True))) / 2
    lines = list(hatch([star], 0.1, slant, 0.001, Role.INK))
    assert lengths(lines) * 0.1 == pytest.approx(area, rel=0.03)


@trials(60)
@given(slant=slants)
def test_holes_stay_empty(slant: float) -> None:
    lines = list(hatch([SQUARE, HOLE], 0.1, slant, 0.01, Role.INK))
    assert lengths(lines) * 0.1 == pytest.approx(84, rel=0.05)
    assert not any(inside(HOLE, middle(line), 0.01) for line in lines)
    assert all(inside(SQUARE, middle(line), -0.01) for line in lines)


def test_lines_of_neighbours_meet() -> None:
    left = hatch([((0, 0), (5, 0), (5, 5), (0, 5))], 0.7, 45, 0.01, Role.INK)
    right = hatch([((5, 0), (10, 0), (10, 5), (5, 5))], 0.7, 45, 0.01, Role.INK)
    ends = sorted(end[1] for line in left for end in line.points if end[0] == pytest.approx(5))
    starts = sorted(end[1] for line in right for end in line.points if end[0] == pytest.approx(5))
    assert ends
    assert ends == pytest.approx(starts)


def test_lines_rise_to_the_right() -> None:
    (x1, y1), (x2, y2) = next(hatch([SQUARE], 1, 30, 0.1, Role.INK)).points
    assert math.degrees(math.atan2(y1 - y2, x2 - x1)) == pytest.approx(30)


def test_nothing_has_no_lines() -> None:
    assert list(hatch([], 1, 45, 0.1, Role.INK)) == []


def middle(line: Stroke) -> Point:
    (x1, y1), (x2, y2) = line.points
    return (x1 + x2) / 2, (y1 + y2) / 2


def inside(square: tuple[Point, ...], at: Point, margin: float) -> bool:
    (left, top), (right, bottom) = square[0], square[2]
    return left + margin < at[0] < right - margin and top + margin < at[1] < bottom - margin
