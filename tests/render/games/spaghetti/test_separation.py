"""Marks that would overlap are moved apart, but not far."""

from itertools import combinations
from math import dist

from hypothesis import given
from hypothesis import strategies as st

from render.games.spaghetti import separated
from tests.rules.walks import trials

points = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda at: (40 + 30 * at[0], 40 + 30 * at[1]))


@trials(60)
@given(spots=st.lists(points, max_size=8))
def test_marks_are_moved_apart_but_not_far(spots: list[tuple[int, int]]) -> None:
    moved = separated(spots, 17)
    assert all(dist(one, other) > 14 for one, other in combinations(moved, 2))
    assert all(dist(one, other) < 60 for one, other in zip(spots, moved, strict=True))


def test_marks_apart_stay_where_they_are_and_clear_of_fixed_points() -> None:
    moved = separated([(0, 0), (100, 0)], 17, [(110, 0)], 22)
    assert dist(moved[0], (0, 0)) < 0.1
    assert abs(dist(moved[1], (110, 0)) - 22) < 0.1
