"""Alaric solved from its ends, in plain Python, and the tables of rings that were solved before.

`compiled.py` solves with numba.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rules.players.games.alaric.position import captured
from rules.players.packed import pack, unpack

Seen = tuple[int, int, int]

_LARGEST_RING = 32
"""Cells; `spread` knows no larger rings."""

_BYTE = tuple(sum((byte >> bit & 1) << 2 * bit for bit in range(8)) for byte in range(256))
_TURNED = tuple(sum((byte >> bit & 1) << 2 * (7 - bit) for bit in range(8)) for byte in range(256))
"""The bits of a byte with gaps between them, and the same in reverse order."""


@cache
def classifier(size: int) -> Callable[[int, int, int], int]:
    """Return the function that gives the class of a position on a ring of so many cells."""
    if size > _LARGEST_RING:
        raise ValueError(f"classes are of rings of at most {_LARGEST_RING} cells")
    width = 2 * size
    full = (1 << width) - 1
    shifts = range(2, width, 2)
    byte, turned, beyond = _BYTE, _TURNED, 2 * (16 - size)

    def narrow(own: int, enemy: int, forbidden: int) -> int:
        one, two = own | forbidden, enemy | forbidden
        a, b, c, d = one & 255, one >> 8, two & 255, two >> 8
        key = byte[a] | byte[b] << 16 | byte[c] << 1 | byte[d] << 17
        back = (turned[a] << 16 | turned[b] | turned[c] << 17 | turned[d] << 1) >> beyond
        twice, twice_back = key << width | key, back << width | back
        return min(
            key,
            back,
            *[twice >> shift & full for shift in shifts],
            *[twice_back >> shift & full for shift in shifts],
        )

    def wide(own: int, enemy: int, forbidden: int) -> int:
        key = back = 0
        for cell in range(size):
            digit = (own >> cell & 1) + 2 * (enemy >> cell & 1) + 3 * (forbidden >> cell & 1)
            key |= digit << 2 * cell
            back = back << 2 | digit
        twice, twice_back = key << width | key, back << width | back
        return min(
            key,
            back,
            *[twice >> shift & full for shift in shifts],
            *[twice_back >> shift & full for shift in shifts],
        )

    return narrow if size <= 16 else wide


def followers(position: Seen, size: int) -> list[Seen]:
    """Return the positions after each move, in the order of the cells, seen by the other player."""
    own, enemy, forbidden = position
    found = []
    free = ((1 << size) - 1) & ~(own | enemy | forbidden)
    while free:
        bit = free & -free
        free ^= bit
        taken = captured(own, enemy, bit.bit_length() - 1, size)
        found.append((enemy & ~taken, own | bit, taken))
    return found


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


SHIPPED = range(10, 17)
"""Rings whose tables of decided positions are files; smaller ones are solved at once."""
EXACT = range(1, SHIPPED.stop)

_FOLDER = Path(__file__).with_name("tables")


@cache
def table(size: int) -> Mapping[int, Decided]:
    """Return the decided classes of a ring of one of the sizes in `EXACT`; any other class is a draw with best play."""
    if size in SHIPPED:
        return read(path(size).read_bytes())
    return solve(size).decided


def path(size: int) -> Path:
    """Return the place of a ring's file."""
    return _FOLDER / f"{size}.bin"


def write(decided: Mapping[int, Decided]) -> bytes:
    """Return the contents of a file."""
    keys = sorted(decided)
    return pack(keys, [decided[key][0] for key in keys], [decided[key][1] for key in keys])


def read(contents: bytes) -> dict[int, Decided]:
    """Return the decided classes of a file."""
    keys, (margins, plies) = unpack(contents, 2)
    return dict(zip(keys, zip(margins, plies, strict=True), strict=True))
