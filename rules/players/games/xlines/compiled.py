"""The solver of X's and Lines with numba, for boards of up to 64 cells: the same search as in `placing.py`."""

from typing import Any

import numpy as np
from numba import njit, types
from numba.typed import Dict

from rules.players.games.xlines.exact import distances, symmetries
from rules.players.games.xlines.position import fan


def solve(size: int) -> tuple[bool, int, dict[int, int]]:
    """Return if seat 0 wins, the number of positions looked at, and the winning replies of seat 0.

    The replies are cells for sets of x's, both in the one form of all mirror images (see `openings.same_form`).
    """
    count = size**2
    over, level, upright = (np.zeros((count, count, 2), np.uint64) for _ in range(3))
    options = np.zeros((count, count), np.int64)
    low = (1 << count) - 1
    for start in range(count):
        for end, tracks in enumerate(fan(size, start)):
            options[start, end] = len(tracks)
            for way, (_, _, cells, mark, _) in enumerate(tracks):
                over[start, end, way] = cells
                level[start, end, way] = mark & low
                upright[start, end, way] = mark >> count & low
    board = (over, level, upright, options, np.array(distances(size)), np.array(symmetries(size)))
    room = (
        np.zeros(16, np.int64),
        np.zeros((16, 32), np.int64),
        np.zeros((16, 32), np.uint64),
        np.zeros((16, 32), np.uint64),
        np.zeros((16, count), np.int64),
        np.full(16, -1),
        np.zeros(1, np.int64),
    )
    known = Dict.empty(types.uint64, types.boolean)
    replies = Dict.empty(types.uint64, types.int64)
    won = _first_wins(size, np.zeros(16, np.int64), 0, board, room, known, replies)
    keys, cells = _listed(replies)
    return bool(won), int(room[-1][0]), dict(zip(map(int, keys), map(int, cells), strict=True))


@njit
def _listed(replies: Any) -> Any:
    keys, cells = np.zeros(len(replies), np.uint64), np.zeros(len(replies), np.int64)
    for number, key in enumerate(replies):
        keys[number], cells[number] = key, replies[key]
    return keys, cells


@njit
def _wins(size: int, pen: int, used: int, level: Any, upright: Any, room: Any) -> Any:
    counts, ends, levels, uprights = room[:4]
    room[6][0] += 1
    stuck = True
    for way in range(counts[pen]):
        end = ends[pen, way]
        across, along = levels[pen, way], uprights[pen, way]
        if used >> end & 1 or across & upright or along & level:
            continue
        if not _wins(size, end, used | 1 << end, level | across, upright | along, room):
            return True
        stuck = False
    return stuck


@njit
def _drawer_wins(size: int, xs: Any, board: Any, room: Any) -> Any:
    over, level, upright, options = board[:4]
    counts, ends, levels, uprights = room[:4]
    held = np.uint64(0)
    for i in range(size):
        held |= np.uint64(1) << np.uint64(xs[i])
    for i in range(size):
        found = 0
        for j in range(size):
            for way in range(options[xs[i], xs[j]]):
                if not over[xs[i], xs[j], way] & held:
                    ends[i, found] = j
                    levels[i, found] = level[xs[i], xs[j], way]
                    uprights[i, found] = upright[xs[i], xs[j], way]
                    found += 1
        counts[i] = found
    for i in range(size):
        # The lines to the x's with the fewest lines come first, as in `lines.py`.
        for place in range(1, counts[i]):
            at = place
            while at > 0 and counts[ends[i, at]] < counts[ends[i, at - 1]]:
                ends[i, at], ends[i, at - 1] = ends[i, at - 1], ends[i, at]
                levels[i, at], levels[i, at - 1] = levels[i, at - 1], levels[i, at]
                uprights[i, at], uprights[i, at - 1] = uprights[i, at - 1], uprights[i, at]
                at -= 1
    for i in range(size):
        for way in range(counts[i]):
            j = ends[i, way]
            if not _wins(size, j, 1 << i | 1 << j, levels[i, way], uprights[i, way], room):
                return True
    return False


@njit
def _form(xs: Any, placed: int, turns: Any) -> Any:
    """Return a set of x's in the one form of all its mirror images, and the symmetry that leads there."""
    best, turn = np.uint64(0), 0
    for number in range(len(turns)):
        bits = np.uint64(0)
        for i in range(placed):
            bits |= np.uint64(1) << np.uint64(turns[number, xs[i]])
        if number == 0 or bits < best:
            best, turn = bits, number
    return best, turn


@njit
def _order(size: int, xs: Any, placed: int, board: Any, room: Any) -> Any:
    """Put the free cells in order, as `PlacingSolver.ordered` does, and return their number."""
    apart, cells, worked = board[4], room[4], room[5]
    far = np.zeros(size**2, np.int64)
    for i in range(placed):
        far += apart[xs[i]]
    if placed % 2 == 0:
        far = -far
    for i in range(placed):
        far[xs[i]] = 1 << 20
    if worked[placed] >= 0 and far[worked[placed]] < 1 << 20:
        far[worked[placed]] = -1 << 20
    order = np.argsort(far, kind="mergesort")
    cells[placed, :] = order
    return size**2 - placed


@njit
def _first_wins(size: int, xs: Any, placed: int, board: Any, room: Any, known: Any, replies: Any) -> Any:
    if placed == size:
        return _drawer_wins(size, xs, board, room)
    room[6][0] += 1
    turns, cells, worked = board[5], room[4], room[5]
    key, turn = np.uint64(0), 0
    if placed < size - 1:
        key, turn = _form(xs, placed, turns)
        if key in known:
            return known[key]
    first = placed % 2 == 0
    won = not first
    for number in range(_order(size, xs, placed, board, room)):
        cell = cells[placed, number]
        xs[placed] = cell
        if _first_wins(size, xs, placed + 1, board, room, known, replies) == first:
            worked[placed] = cell
            won = first
            if first and placed < size - 1:
                replies[key] = turns[turn, cell]
            break
    if placed < size - 1:
        known[key] = won
    return won
