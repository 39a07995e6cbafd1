"""Alaric solved from its ends, in plain Python. `compiled.py` does the same with numba."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.players.games.alaric.classes import Seen, classifier, followers

LARGEST = 14
"""Cells; more take longer than somebody waits."""

Decided = tuple[int, int]
"""The margin in stones that the mover gets with best play (never 0), and the plies until the end at most."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A solved ring: all classes of positions that are decided, and the number of classes that can be reached.

    `tie` is True if best play from the start ends with equal numbers; else it is endless if it is not decided.
    """

    decided: Mapping[int, Decided]
    classes: int
    tie: bool


def solve(size: int) -> Ring:
    """Solve a ring.

    Both sides want to win, and then the largest margin. Play that never ends is a draw, as it is under the rule of the
    third repetition: a player who can force a result can do so without coming back to a position, and a player who
    cannot be forced may repeat.
    """
    graph = _explore(size)
    count = len(graph.keys)
    margins, plies = graph.margins[:], [0] * count
    settled = bytearray(not moves and not margin for moves, margin in zip(graph.moves, margins, strict=True))
    moves = graph.moves[:]
    for margin in range(size, 0, -1):
        # Largest margins first: what is settled now can be forced by this much and by no more.
        queue = [end for end in graph.ends if abs(margins[end]) == margin]
        for end in queue:
            settled[end] = 1
        for child in queue:  # it grows
            lost = margins[child] < 0
            for parent in graph.parents[child]:
                if settled[parent]:
                    continue
                if not lost:
                    moves[parent] -= 1
                if lost or moves[parent] == 0:
                    margins[parent] = margin if lost else -margin
                    plies[parent] = plies[child] + 1
                    settled[parent] = 1
                    queue.append(parent)
    decided = {
        key: (margin, ply) for key, margin, ply in zip(graph.keys, margins, plies, strict=True) if margin
    }
    return Ring(decided, count, not margins[0] and _ends(graph))


@dataclass(frozen=True, slots=True)
class _Graph:
    """All classes that can be reached, the start first, by their index.

    `parents` are those from which a class comes in one move and `moves` counts the classes it leads to. `ends` are
    those without a move, and `margins` theirs, 0 for all others.
    """

    keys: list[int]
    parents: list[list[int]]
    moves: list[int]
    ends: list[int]
    margins: list[int]


def _explore(size: int) -> _Graph:
    key = classifier(size)
    start: Seen = (0, 0, 0)
    index = {key(*start): 0}
    positions = [start]
    graph = _Graph([0], [[]], [], [], [])
    for here, position in enumerate(positions):  # it grows
        after = {key(*follower): follower for follower in followers(position, size)}
        graph.moves.append(len(after))
        graph.margins.append(0)
        if not after:
            graph.ends.append(here)
            graph.margins[here] = position[0].bit_count() - position[1].bit_count()
        for name, follower in after.items():
            child = index.get(name)
            if child is None:
                child = index[name] = len(positions)
                positions.append(follower)
                graph.keys.append(name)
                graph.parents.append([])
            graph.parents[child].append(here)
    return graph


def _ends(graph: _Graph) -> bool:
    """Return True if one of the players can force the game to an end that this player does not lose."""
    count = len(graph.keys)
    mover, other = bytearray(count), bytearray(count)
    moves = graph.moves[:]
    queue = []
    for end in graph.ends:
        if graph.margins[end] >= 0:
            mover[end] = 1
            queue.append((end, True))
        if graph.margins[end] <= 0:
            other[end] = 1
            queue.append((end, False))
    for child, by_mover in queue:  # it grows
        for parent in graph.parents[child]:
            if by_mover:
                moves[parent] -= 1
                if moves[parent] == 0 and not other[parent]:
                    other[parent] = 1
                    queue.append((parent, False))
            elif not mover[parent]:
                mover[parent] = 1
                queue.append((parent, True))
    return bool(mover[0] or other[0])
