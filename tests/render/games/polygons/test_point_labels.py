"""Labels of points cover neither one another nor lines, if possible."""

from itertools import combinations
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.engine import fonts
from render.engine.scene import Face
from render.games.polygons import beside
from tests.rules.walks import trials

SIZE, RADIUS = 26, 14

points = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda at: (40 + 30 * at[0], 40 + 30 * at[1]))


@trials(60)
@given(spots=st.lists(points, unique=True, max_size=12))
def test_labels_touch_neither_one_another_nor_the_edge(spots: list[tuple[int, int]]) -> None:
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


def test_a_lone_label_stands_beside_its_point_and_off_the_lines() -> None:
    across = ((0.0, 300.0), (700.0, 300.0))
    x, y = beside({"k10": (300, 300)}, RADIUS, SIZE, (0, 0, 700, 700), [across])["k10"]
    assert RADIUS < dist((x, y), (300, 300)) < 60
    assert abs(y - 300) > 8


def test_a_label_covers_no_other_point() -> None:
    named = {"k10": (300, 300), "k11": (345, 280), "k12": (345, 320)}
    for x, y in beside(named, RADIUS, SIZE, (0, 0, 700, 700)).values():
        half = fonts.width("k10", Face.READ, SIZE) / 2
        for at in named.values():
            assert dist((min(max(at[0], x - half), x + half), min(max(at[1], y - 9), y + 9)), at) >= RADIUS


def test_a_label_without_room_is_an_error() -> None:
    with pytest.raises(ValueError, match="no room for 'k10'"):
        beside({"k10": (10, 10)}, RADIUS, SIZE, (0, 0, 20, 20))
