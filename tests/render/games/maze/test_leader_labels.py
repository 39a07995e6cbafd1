"""Labels with a leader line are free of everything, on the board and near, or there is none."""

from hypothesis import given
from hypothesis import strategies as st

from render.games.maze.labels import Clutter

spots = st.tuples(st.floats(10, 190), st.floats(10, 190))


def test_a_free_label_lies_close() -> None:
    x, y = Clutter(200, 200, 2).beside((100, 100), 30, 20) or (0, 0)
    assert 20 <= abs(x - 100) + abs(y - 100) <= 40


@given(at=spots, lines=st.lists(st.tuples(spots, spots), max_size=8), discs=st.lists(spots, max_size=8))
def test_labels_keep_clear(
    at: tuple[float, float],
    lines: list[tuple[tuple[float, float], tuple[float, float]]],
    discs: list[tuple[float, float]],
) -> None:
    clutter = Clutter(200, 200, 2)
    for line in lines:
        clutter.add_line(line)
    for disc in discs:
        clutter.add_disc(disc, 8)
    found = clutter.beside(at, 30, 20)
    if found is None:
        return
    x, y = found
    assert 15 <= x <= 185
    assert 10 <= y <= 190
    assert all(abs(x - a) >= 15 + 8 or abs(y - b) >= 10 + 8 for a, b in discs)
    for (ax, ay), (bx, by) in lines:
        steps = [(ax + (bx - ax) * step / 200, ay + (by - ay) * step / 200) for step in range(201)]
        assert not any(abs(px - x) < 15 and abs(py - y) < 10 for px, py in steps)


def test_without_room_there_is_none() -> None:
    crowded = Clutter(200, 200, 2)
    crowded.add_box((100, 100), 200, 200)
    assert crowded.beside((100, 100), 30, 20) is None
    assert Clutter(20, 20, 2).beside((10, 10), 30, 20) is None
