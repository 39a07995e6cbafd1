"""Trails use every edge of a graph once, and there are as few as possible."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from render.games.maze.words import trails

joins = st.sets(st.tuples(st.integers(1, 12), st.integers(1, 12)).filter(lambda ends: ends[0] < ends[1]))


@given(graph=joins)
def test_every_join_is_walked_once(graph: set[tuple[int, int]]) -> None:
    walked = [(min(step), max(step)) for walk in trails(graph) for step in pairwise(walk)]
    assert sorted(walked) == sorted(graph)


def test_a_corridor_is_one_walk() -> None:
    assert trails([(3, 7), (1, 3), (7, 2)]) == ((1, 3, 7, 2),)


def test_a_fork_needs_two_and_a_ring_one() -> None:
    assert trails([(1, 5), (5, 9), (5, 6)]) == ((1, 5, 6), (5, 9))
    assert trails([(1, 2), (2, 3), (1, 3)]) == ((1, 2, 3, 1),)
    assert trails([]) == ()
