"""Walls as bit sets say what the segments themselves say."""

import random
from itertools import combinations

import pytest

from rules.core.bits import members
from rules.core.plane import crosses, on_segment
from rules.core.walls import crossing, walls


@pytest.mark.parametrize(("size", "number"), [(1, 12), (2, 72), (4, 40), (8, 12)])
def test_the_walls_that_cross_one_are_those_whose_segments_do(size: int, number: int) -> None:
    table = walls(size)
    for wall in random.Random(size).sample(table.every, number):
        pairs = [pair for pair in combinations(table.vertices, 2) if crosses(wall, pair)]
        expected = {*pairs} | {(end, start) for start, end in pairs}
        assert {*members(crossing(size, wall), table.every)} == expected


@pytest.mark.parametrize("size", [1, 2, 3])
def test_each_table_holds_what_it_says(size: int) -> None:
    table = walls(size)
    count = (size + 1) ** 2
    assert len(table.every) == count * (count - 1)
    for wall in table.every:
        on = [vertex for vertex in table.vertices if on_segment(vertex, wall)]
        assert members(table.alone[wall], table.every) == (wall,)
        assert [*members(table.vertices_on[wall], table.vertices)] == on
        for vertex in table.vertices:
            assert bool(table.starting[vertex] & table.alone[wall]) == (vertex == wall.start)
            assert bool(table.reaching[vertex] & table.alone[wall]) == (vertex in on and vertex != wall.start)
