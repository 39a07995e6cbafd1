"""Alaric solved from its ends with numba, which the extra `solve` installs. The same steps as in `retrograde.py`."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from rules.players.games.alaric.retrograde import Ring

LARGEST = 20
"""Cells. They take 11 GB of memory, and one more would take three times as much."""

Ints = NDArray[Any]


def solve(size: int) -> Ring:
    """Solve a ring; the table of a large one takes much memory, so only up to 16 cells have one."""
    keys, start, edges = _explore(size, *_room(size))
    parents, place = _reverse(keys.size, start, edges)
    moves = np.diff(start).astype(np.int8)
    del start, edges
    margins, plies = _settle(size, keys, moves, parents, place)
    tie = not margins[0] and bool(_ends(size, keys, moves, parents, place))
    # The start is class 0, the first; a table of a large ring is not made.
    chosen = np.flatnonzero(margins if size <= 16 else margins[:1])
    decided = {int(keys[it]): (int(margins[it]), int(plies[it])) for it in chosen}
    return Ring(decided, int(keys.size), tie)


def _room(size: int) -> tuple[int, int, int]:
    """Return the bits of the table's size, and the most classes and steps between them that are expected.

    All arrangements of stones, over the symmetries, are the greater part: at 16 cells four fifths of the room are used.
    """
    classes = 1000 + 3**size * 8 // (9 * size)
    return max(10, (classes * 4 // 3).bit_length()), classes, 1000 + classes * (size // 3 + 2)


@numba.njit
def _class(digits: int, size: int) -> Any:
    """Return the class of a position that is given with two bits per cell."""
    top = 2 * size - 2
    back, rest = np.int64(0), np.int64(digits)
    for _ in range(size):
        back = back << 2 | rest & 3
        rest >>= 2
    here = np.int64(digits)
    best = min(here, back)
    for _ in range(size - 1):
        here = here >> 2 | (here & 3) << top
        back = back >> 2 | (back & 3) << top
        best = min(best, here, back)
    return best


@numba.njit
def _after(digits: int, size: int, cell: int) -> Any:
    """Return the position after a stone on `cell`, seen by the other player, with two bits per cell."""
    taken = np.int64(0)
    for step in (1, -1):
        run, place = np.int64(0), (cell + step) % size
        while place != cell and digits >> 2 * place & 3 == 2:
            run |= np.int64(3) << 2 * place
            place = (place + step) % size
        if place == cell or digits >> 2 * place & 3 == 1:
            taken |= run
    after = taken | np.int64(2) << 2 * cell
    for place in range(size):
        digit = digits >> 2 * place & 3
        if digit == 1:
            after |= np.int64(2) << 2 * place
        elif digit == 2 and not taken >> 2 * place & 3:
            after |= np.int64(1) << 2 * place
    return after


@numba.njit
def _explore(size: int, bits: int, most: int, most_steps: int) -> tuple[Ints, Ints, Ints]:
    """Return all classes from the start on, where the moves of each begin, and the classes that they lead to."""
    mask = (1 << bits) - 1
    slots = np.full(1 << bits, -1, np.int32)
    keys = np.empty(most, np.int64)
    start = np.empty(most + 1, np.int64)
    edges = np.empty(most_steps, np.int32)
    keys[0], slots[0], count, steps, here = 0, 0, 1, 0, 0
    while here < count:
        start[here] = steps
        for cell in range(size):
            if keys[here] >> 2 * cell & 3:
                continue
            key = _class(_after(keys[here], size, cell), size)
            # Fibonacci hashing; the empty ring is key 0, and a free slot is -1.
            slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits)) & mask
            while slots[slot] >= 0 and keys[slots[slot]] != key:
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                if count == most:
                    raise IndexError("More classes than there is room for.")
                slots[slot] = count
                keys[count] = key
                count += 1
            child = slots[slot]
            step = start[here]
            while step < steps and edges[step] != child:
                step += 1
            if step == most_steps:
                raise IndexError("More steps than there is room for.")
            edges[step] = child  # each class once
            steps = max(steps, step + 1)
        here += 1
    start[count] = steps
    return keys[:count].copy(), start[: count + 1].copy(), edges[:steps].copy()


@numba.njit
def _reverse(count: int, start: Ints, edges: Ints) -> tuple[Ints, Ints]:
    """Return the parents of all classes, and where those of each begin."""
    place = np.zeros(count + 2, np.int64)
    for child in edges:
        place[child + 2] += 1
    for here in range(count):
        place[here + 2] += place[here + 1]
    parents = np.empty(edges.size, np.int32)
    for here in range(count):
        for step in range(start[here], start[here + 1]):
            child = edges[step]
            parents[place[child + 1]] = here
            place[child + 1] += 1
    return parents, place


@numba.njit
def _margin(digits: int, size: int) -> int:
    margin = 0
    for cell in range(size):
        digit = digits >> 2 * cell & 3
        margin += (digit == 1) - (digit == 2)
    return margin


@numba.njit
def _settle(size: int, keys: Ints, after: Ints, parents: Ints, place: Ints) -> tuple[Ints, Ints]:
    """Return the margin of each class, 0 if it is not decided, and the plies until the end at most."""
    count = keys.size
    moves = after.copy()
    margins, plies = np.zeros(count, np.int8), np.zeros(count, np.uint8)
    settled = np.zeros(count, np.bool_)
    queue = np.empty(count, np.int32)
    for here in range(count):
        if moves[here] == 0:
            margins[here] = _margin(keys[here], size)
            settled[here] = margins[here] == 0
    for margin in range(size, 0, -1):
        first = last = 0
        for here in range(count):
            if after[here] == 0 and abs(margins[here]) == margin:
                settled[here] = True
                queue[last] = here
                last += 1
        while first < last:
            child = queue[first]
            first += 1
            for step in range(place[child], place[child + 1]):
                parent = parents[step]
                if settled[parent]:
                    continue
                if margins[child] > 0:
                    moves[parent] -= 1
                if margins[child] < 0 or moves[parent] == 0:
                    margins[parent] = margin if margins[child] < 0 else -margin
                    plies[parent] = plies[child] + 1
                    settled[parent] = True
                    queue[last] = parent
                    last += 1
    return margins, plies


@numba.njit
def _ends(size: int, keys: Ints, after: Ints, parents: Ints, place: Ints) -> Any:
    """Return True if one of the players can force the game to an end that this player does not lose."""
    count = keys.size
    moves = after.copy()
    mover, other = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    queue = np.empty(2 * count, np.int64)
    first = last = 0
    for here in range(count):
        if after[here] == 0:
            margin = _margin(keys[here], size)
            if margin >= 0:
                mover[here] = True
                queue[last] = 2 * here + 1
                last += 1
            if margin <= 0:
                other[here] = True
                queue[last] = 2 * here
                last += 1
    while first < last:
        child, by_mover = queue[first] >> 1, queue[first] & 1
        first += 1
        for step in range(place[child], place[child + 1]):
            parent = parents[step]
            if by_mover:
                moves[parent] -= 1
                if moves[parent] == 0 and not other[parent]:
                    other[parent] = True
                    queue[last] = 2 * parent
                    last += 1
            elif not mover[parent]:
                mover[parent] = True
                queue[last] = 2 * parent + 1
                last += 1
    return mover[0] or other[0]
