"""The next seat and the leaders, with seats that have left."""

import pytest

from rules.core.game import leaders, next_seat


@pytest.mark.parametrize(
    ("seat", "players", "gone", "following"),
    [(0, 2, (), 1), (1, 2, (), 0), (0, 4, {1, 2}, 3), (3, 4, {0}, 1), (2, 3, {0, 1}, 2), (1, 3, {1}, 2)],
)
def test_the_next_seat_is_the_first_after_it_that_is_still_there(
    seat: int, players: int, gone: set[int], following: int
) -> None:
    assert next_seat(seat, players, gone) == following


@pytest.mark.parametrize(
    ("points", "gone", "best"),
    [((0, 0), (), (0, 1)), ((1, 3), (), (1,)), ((5, 2, 2), {0}, (1, 2)), ((5, 5, 2), {1}, (0,))],
)
def test_the_leaders_are_those_with_the_most_points_who_have_not_left(
    points: tuple[int, ...], gone: set[int], best: tuple[int, ...]
) -> None:
    assert leaders(points, gone) == best
