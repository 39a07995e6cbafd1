"""Lines that run together lie side by side, near their cells, and cross as little as possible."""

from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.board.side_by_side import side_by_side
from render.engine.scene import Point
from rules.core.notation import Cell
from tests.rules.walks import trials

cells = st.builds(Cell, st.integers(0, 5), st.integers(0, 5))


@st.composite
def lines(draw: st.DrawFn) -> tuple[Cell, ...]:
    start, end = draw(cells), draw(cells.filter(lambda cell: cell != Cell(0, 0)))
    if start == end:
        end = Cell(0, 0)
    if start.column == end.column or start.row == end.row:
        return start, end
    corner = draw(st.sampled_from((Cell(start.column, end.row), Cell(end.column, start.row))))
    return start, corner, end


def cell(name: str) -> Cell:
    return Cell(ord(name[0]) - ord("a"), int(name[1:]) - 1)


def given_lines(*texts: str) -> list[tuple[Cell, ...]]:
    return [tuple(cell(name) for name in text.split("-")) for text in texts]


def on_each_other(one: Sequence[Point], other: Sequence[Point]) -> bool:
    for (a, b), (c, d) in ((p, q) for p in pairwise(one) for q in pairwise(other)):
        for axis in (0, 1):
            level = 1 - axis
            if a[level] == b[level] == c[level] == d[level]:
                overlap = min(max(a[axis], b[axis]), max(c[axis], d[axis])) - max(
                    min(a[axis], b[axis]), min(c[axis], d[axis])
                )
                if overlap > 0.7:
                    return True
    return False


def crossings(drawn: Sequence[Sequence[Point]]) -> int:
    count = 0
    for one, other in combinations([part for line in drawn for part in pairwise(line)], 2):
        for (a, b), (c, d) in ((one, other), (other, one)):
            if a[1] == b[1] and c[0] == d[0]:
                between = min(a[0], b[0]) < c[0] < max(a[0], b[0])
                count += between and min(c[1], d[1]) < a[1] < max(c[1], d[1])
    return count


@trials(80)
@given(found=st.lists(lines(), max_size=9))
def test_no_line_lies_on_another_nor_far_from_its_cells(found: list[tuple[Cell, ...]]) -> None:
    drawn = side_by_side(found)
    assert [len(line) for line in drawn] == [len(line) for line in found]
    for line, points in zip(found, drawn, strict=True):
        for corner, (x, y) in zip(line, points, strict=True):
            assert abs(x - corner.column) < 0.4
            assert abs(y - corner.row) < 0.4
        for (ax, ay), (bx, by) in pairwise(points):
            assert ax == bx or ay == by
    assert not any(on_each_other(one, other) for one, other in combinations(drawn, 2))


def test_a_lone_line_runs_through_the_middle_of_its_cells() -> None:
    assert side_by_side(given_lines("a1-a4-c4")) == [((0, 0), (0, 3), (2, 3))]
    assert side_by_side([]) == []


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(("a3-e3", "b1-b3-d3"), id="joined from below, on that side"),
        pytest.param(("a3-e3", "b5-b3-d3"), id="joined from above, on that side"),
        pytest.param(("a5-a3-e3-e5", "b5-b3-d3-d5"), id="one trough within another"),
        pytest.param(("a1-a3-e3", "b1-b3-e3"), id="both from below"),
        pytest.param(("c1-c3-a3", "c1-c3-e3"), id="up together and apart"),
        pytest.param(("c1-c5", "b5-b3-c3-c1", "e2-c2-c4"), id="three in one column"),
        pytest.param(("a3-c3", "c3-a3", "a3-e3"), id="to and fro"),
    ],
)
def test_lines_that_need_not_cross_do_not(texts: tuple[str, ...]) -> None:
    for order in (texts, texts[::-1]):
        assert crossings(side_by_side(given_lines(*order))) == 0


def test_a_line_that_leaves_on_the_other_side_crosses_once() -> None:
    assert crossings(side_by_side(given_lines("a3-e3", "b1-b3-d3-d5"))) == 1
