"""Exact plane geometry against hand-made cases, Euler's formula, sums of areas, and Shapely."""

import random
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from rules.core.plane import (
    Arrangement,
    Face,
    Point,
    Segment,
    arrange,
    crosses,
    faces,
    meeting_point,
    meets,
    on_segment,
    orientation,
    overlaps,
)
from tests.rules.walks import trials
from tests.seeds import seeds

pytestmark = pytest.mark.slow


def closed(*points: Point) -> list[Segment]:
    return list(pairwise((*points, points[0])))


def square(low: int, high: int) -> list[Segment]:
    return closed((low, low), (high, low), (high, high), (low, high))


def test_orientation_is_left_right_or_straight() -> None:
    assert orientation((0, 0), (2, 0), (5, 1)) == 1
    assert orientation((0, 0), (2, 0), (5, -1)) == -1
    assert orientation((0, 0), (2, 1), (-4, -2)) == 0
    huge = 10**30
    assert orientation((0, 0), (huge, huge + 1), (huge - 1, huge)) == 1
    assert orientation((0, 0), (1, Fraction(1, 3)), (3, 1)) == 0


@pytest.mark.parametrize(
    ("point", "there"), [((0, 0), True), ((4, 2), True), ((2, 1), True), ((6, 3), False), ((2, 2), False)]
)
def test_a_point_on_a_segment(point: Point, there: bool) -> None:
    assert on_segment(point, ((0, 0), (4, 2))) is there


@pytest.mark.parametrize(
    ("other", "point", "how"),
    [
        pytest.param(((2, -1), (2, 1)), (2, 0), "meets crosses", id="crossing"),
        pytest.param(((1, 1), (2, -2)), (Fraction(4, 3), 0), "meets crosses", id="in a fraction"),
        pytest.param(((2, 0), (2, 3)), (2, 0), "meets", id="touching inside"),
        pytest.param(((2, 1), (2, 3)), None, "", id="short of it"),
        pytest.param(((4, 0), (5, 5)), (4, 0), "meets", id="end to end, at an angle"),
        pytest.param(((4, 0), (7, 0)), (4, 0), "meets", id="end to end, straight on"),
        pytest.param(((5, 0), (7, 0)), None, "", id="on one line, apart"),
        pytest.param(((3, 0), (7, 0)), None, "meets overlaps", id="sharing a stretch"),
        pytest.param(((1, 0), (2, 0)), None, "meets overlaps", id="inside"),
        pytest.param(((4, 0), (0, 0)), None, "meets overlaps", id="the same, reversed"),
        pytest.param(((0, 1), (4, 1)), None, "", id="parallel"),
        pytest.param(((5, 1), (6, -3)), None, "", id="past the end"),
    ],
)
def test_how_two_segments_meet(other: Segment, point: Point | None, how: str) -> None:
    for one, two in (
        (((0, 0), (4, 0)), other),
        (((4, 0), (0, 0)), other),
        (other, ((0, 0), (4, 0))),
        # the same with the axes exchanged, which turns the plane over
        (((0, 0), (0, 4)), (other[0][::-1], other[1][::-1])),
    ):
        assert meets(one, two) is ("meets" in how)
        assert crosses(one, two) is ("crosses" in how)
        assert overlaps(one, two) is ("overlaps" in how)
        assert meeting_point(one, two) == (point if point is None or one[1] != (0, 4) else point[::-1])


def test_a_loop_that_touches_nothing_is_a_walk_of_its_own() -> None:
    boxes = square(0, 9) + square(1, 3) + square(4, 8) + square(5, 6)
    found = {face.area: [len(walk) for walk in face.walks] for face in faces(boxes)}
    assert found == {61: [4, 4, 4], 4: [4], 15: [4, 4], 1: [4]}


def test_nothing_encloses_nothing() -> None:
    assert faces([]) == ()
    assert arrange([]).corners == ()


def test_a_segment_needs_two_ends() -> None:
    with pytest.raises(ValueError, match="two different ends"):
        arrange([((1, 1), (1, 1))])


coordinates = st.integers(0, 6)
fine = st.integers(0, 40) | st.fractions(0, 6, max_denominator=12)


def lines(
    numbers: st.SearchStrategy[int | Fraction] | st.SearchStrategy[int],
) -> st.SearchStrategy[list[Segment]]:
    points = st.tuples(numbers, numbers)
    ends = st.tuples(points, points).filter(lambda segment: segment[0] != segment[1])
    return st.lists(ends, max_size=12)


@trials(150)
@given(segments=lines(coordinates) | lines(fine))
def test_any_segments_fulfil_the_identities(segments: list[Segment]) -> None:
    check(segments)
    graph = arrange(segments)
    ends = [(graph.corners[i], graph.corners[j]) for i, j in graph.edges]
    for corner in graph.corners:
        assert any(on_segment(corner, segment) for segment in segments)
        assert not any(on_segment(corner, edge) for edge in ends if corner not in edge)
    for one, other in combinations(ends, 2):
        assert not crosses(one, other)
        assert not overlaps(one, other)


@seeds(20)
def test_many_drawings_fulfil_the_identities(seed: int) -> None:
    """Closed paths, stars of many segments through one point, and both at once."""
    chance = random.Random(seed)
    for _ in range(25):
        span = chance.choice((3, 5, 8, 24))
        spots: list[Point] = [
            (chance.randint(-span, span), chance.randint(-span, span)) for _ in range(chance.randint(3, 8))
        ]
        path = [edge for edge in closed(*spots) if edge[0] != edge[1]]
        centre: Point = (Fraction(chance.randint(-9, 9), 7), Fraction(chance.randint(-9, 9), 3))
        star = [(mirrored(spot, centre), spot) for spot in spots[:5] if spot != centre]
        check(chance.choice([path, path, star, path + star]))


def mirrored(point: Point, centre: Point) -> Point:
    """Across the centre, and three times as far away."""
    return 4 * centre[0] - 3 * point[0], 4 * centre[1] - 3 * point[1]


def check(segments: list[Segment]) -> None:
    """Euler's formula, each side of an edge in one face at most, and the same faces as Shapely finds."""
    graph = arrange(segments)
    found = faces(graph)
    edges = [(graph.corners[i], graph.corners[j]) for i, j in graph.edges]
    assert len(graph.corners) - len(edges) + len(found) == groups(graph)
    walked = [edge for face in found for edge in face.edges]
    assert len(set(walked)) == len(walked)
    assert set(walked) <= {*edges, *((b, a) for a, b in edges)}
    assert all(face.area > 0 for face in found)

    theirs = shapely.polygonize([shapely.LineString([floats(a), floats(b)]) for a, b in edges]).geoms
    assert sorted(map(tight, found)) == sorted(map(count, theirs))
    areas = [float(face.area) for face in found]
    assert sorted(areas) == pytest.approx(sorted(region.area for region in theirs))
    # No area counts twice, and none is left out.
    assert sum(areas) == pytest.approx(shapely.union_all(list(theirs)).area)


def floats(point: Point) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def groups(graph: Arrangement) -> int:
    """Return the number of groups of joined corners."""
    home = list(range(len(graph.corners)))

    def root(corner: int) -> int:
        while home[corner] != corner:
            corner = home[corner]
        return corner

    for i, j in graph.edges:
        home[root(i)] = root(j)
    return len({root(corner) for corner in home})


def tight(face: Face) -> int:
    """Return the sides of a face that have another face, or the outside, beyond them."""
    edges = set(face.edges)
    return sum((b, a) not in edges for a, b in edges)


def count(region: shapely.Polygon) -> int:
    return sum(len(ring.coords) - 1 for ring in (region.exterior, *region.interiors))
