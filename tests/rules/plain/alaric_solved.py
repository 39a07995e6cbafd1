"""Best play in Alaric by retrograde analysis, on bitboards of its own.

A position is seen by the player on turn: `(own stones, enemy stones, forbidden cells)`, sets of cells as bits. Play
that never ends stands for a draw, as it does under the rule of the third repetition: a player who can force a result
can do so without coming back to a position, and a player who cannot be forced may repeat.
"""

from collections import deque

Seen = tuple[int, int, int]


def run(own: int, enemy: int, size: int, start: int, step: int) -> int:
    """Return the enemy stones next to `start` in one direction, if one of one's own bounds them at the other end."""
    found = 0
    cell = (start + step) % size
    while enemy >> cell & 1:
        found |= 1 << cell
        cell = (cell + step) % size
    return found if own >> cell & 1 else 0


def followers(position: Seen, size: int) -> list[Seen]:
    """Return the positions after each move, seen by the other player."""
    own, enemy, forbidden = position
    found = []
    for cell in range(size):
        bit = 1 << cell
        if not (own | enemy | forbidden) & bit:
            placed = own | bit
            taken = run(placed, enemy, size, cell, 1) | run(placed, enemy, size, cell, -1)
            found.append((enemy & ~taken, placed, taken))
    return found


def solve(size: int) -> dict[Seen, int]:
    """For every position that can be reached, the margin in stones that the player on turn gets with best play.

    0 stands for equal numbers and for play without end alike.
    """
    parents: dict[Seen, list[Seen]] = {(0, 0, 0): []}
    open_moves: dict[Seen, int] = {}
    ends: list[list[Seen]] = [[] for _ in range(size + 1)]
    fresh = [(0, 0, 0)]
    while fresh:
        position = fresh.pop()
        after = followers(position, size)
        open_moves[position] = len(after)
        for child in after:
            if child not in parents:
                parents[child] = []
                fresh.append(child)
            parents[child].append(position)
        if not after:
            ends[abs(_margin(position))].append(position)

    margins = dict.fromkeys(parents, 0)
    settled: set[Seen] = set(ends[0])
    for margin in range(size, 0, -1):
        # Largest margins first: what is settled now can be forced by this much and by no more.
        margins.update({position: _margin(position) for position in ends[margin]})
        settled.update(ends[margin])
        queue = deque(ends[margin])
        while queue:
            child = queue.popleft()
            for parent in parents[child]:
                if parent in settled:
                    continue
                open_moves[parent] -= margins[child] > 0
                if margins[child] < 0 or open_moves[parent] == 0:
                    margins[parent] = margin if margins[child] < 0 else -margin
                    settled.add(parent)
                    queue.append(parent)
    return margins


def _margin(position: Seen) -> int:
    own, enemy, _ = position
    return own.bit_count() - enemy.bit_count()
