"""Names and marks find places where they do not cover one another."""

from itertools import combinations
from math import dist

from hypothesis import given
from hypothesis import strategies as st

from render.engine import fonts
from render.engine.scene import Face
from render.games.polygons.point_labels import beside
from render.games.spaghetti.separation import spread
from tests.rules.walks import trials

SIZE, RADIUS = 26, 14

points = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda at: (40 + 30 * at[0], 40 + 30 * at[1]))


@trials(60)
@given(spots=st.lists(points, unique=True, max_size=12))
def test_names_touch_neither_one_another_nor_the_edge(spots: list[tuple[int, int]]) -> None:
    named = {f"k{number}": spot for number, spot in enumerate(spots, 10)}
    found = beside(named, RADIUS, SIZE, (0, 0, 700, 700))
    half = {name: (fonts.width(name, Face.READ, SIZE) / 2, 10) for name in named}
    for name, (x, y) in found.items():
        wide, high = half[name]
        assert wide <= x <= 700 - wide
        assert high <= y <= 700 - high
    for one, other in combinations(found, 2):
        (x1, y1), (x2, y2) = found[one], found[other]
        assert abs(x1 - x2) >= half[one][0] + half[other][0] or abs(y1 - y2) >= 20


def test_a_lone_name_stands_beside_its_thing_and_off_the_lines() -> None:
    across = ((0.0, 300.0), (700.0, 300.0))
    x, y = beside({"k10": (300, 300)}, RADIUS, SIZE, (0, 0, 700, 700), [across])["k10"]
    assert RADIUS < dist((x, y), (300, 300)) < 60
    assert abs(y - 300) > 8


@trials(60)
@given(spots=st.lists(points, max_size=8))
def test_marks_are_moved_apart_but_not_far(spots: list[tuple[int, int]]) -> None:
    moved = spread(spots, 17)
    assert all(dist(one, other) > 14 for one, other in combinations(moved, 2))
    assert all(dist(one, other) < 60 for one, other in zip(spots, moved, strict=True))


def test_marks_apart_stay_where_they_are_and_clear_of_what_is_fixed() -> None:
    moved = spread([(0, 0), (100, 0)], 17, [(110, 0)], 22)
    assert dist(moved[0], (0, 0)) < 0.1
    assert abs(dist(moved[1], (110, 0)) - 22) < 0.1
