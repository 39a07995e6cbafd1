"""Exact placing with two dots each.

If one of the four dots is inside the triangle of the others, every path closes a single region of four sides, and
seat 1 wins by one to none. If all four are corners of their hull, seat 0 wins by joining a diagonal first.
"""

from functools import lru_cache

from rules.players.games.polygons.plane import line
from rules.players.games.polygons.position import PolygonsPosition
from rules.players.player import Solution, Solved


@lru_cache(maxsize=10_000)
def half_plane(size: int, one: int, other: int) -> int:
    """Return the points strictly to the left of the line from one point to another, as bits; y grows downwards."""
    (y, x), (v, u) = divmod(one, size), divmod(other, size)
    dx, dy = u - x, v - y
    full = (1 << size) - 1
    bits = 0
    for row in range(size):
        # A point of this row is to the left if dy * (column - x) > level.
        level = dx * (row - y)
        if dy > 0:
            first = max(0, x + level // dy + 1)
            found = full >> first << first
        elif dy < 0:
            found = full & (1 << max(0, x + (-level - 1) // -dy + 1)) - 1
        else:
            found = full if level < 0 else 0
        bits |= found << row * size
    return bits


def winning_dots(position: PolygonsPosition, third: int | None = None) -> int:
    """Return the points where the last dot wins for seat 1, as bits.

    `position` has three dots, or two if the third one is given. A dot wins if it is inside the triangle of the three
    dots, or if one of the three is then inside the triangle of the others.
    """
    size = position.size
    one, two, three = position.dots if third is None else (*position.dots, third)
    barred = line(size, one, two) | line(size, two, three) | line(size, three, one)
    # A point is outside of one side, and inside of the two others, where all four dots are corners.
    odd = half_plane(size, one, two) ^ half_plane(size, two, three) ^ half_plane(size, three, one)
    inside = half_plane(size, one, two) >> three & 1
    return (odd if inside else ~odd) & ~barred & (1 << size**2) - 1


def solve_placing(position: PolygonsPosition) -> Solved:
    """Solve a position of the placing phase with two dots each."""
    codes, count = position.moves(), len(position.dots)
    if not count:
        # `solve_two_dots` proves that seat 1 wins after every first dot.
        return Solved(0.0, tuple(codes), 1)
    if count == 1:
        second, looked = _second_dot(position)
        return Solved(0.0, tuple(codes), looked) if second is None else Solved(1.0, (second,), looked)
    if count == 2:
        answers = {code: winning_dots(position, code).bit_count() for code in codes}
        kept = [code for code in codes if not answers[code]]
        # In a lost position, the dot with the fewest winning answers comes first.
        order = kept or sorted(codes, key=answers.__getitem__)
        return Solved(1.0 if kept else 0.0, tuple(order), len(codes))
    winning = winning_dots(position)
    kept = [code for code in codes if winning >> code & 1]
    return Solved(1.0 if kept else 0.0, tuple(kept or codes), len(codes))


def _second_dot(position: PolygonsPosition) -> tuple[int | None, int]:
    """Return a second dot that wins for seat 1, or None, and the number of positions looked at."""
    looked = 0
    for second in position.moves():
        after = position.played(second)
        for third in after.moves():
            looked += 1
            if not winning_dots(after, third):
                break
        else:
            return second, looked
    return None, looked


def solve_two_dots(size: int) -> Solution:
    """Solve the game: look after every first dot for a second one that wins.

    The margin cannot be larger than one: three paths close four dots, and one of them is a single region of four sides,
    or all three are.
    """
    looked = 0
    # Of the points that are mirror images of each other, the first dot needs to be tried on one only.
    middle = (size + 1) // 2
    for first in (x + size * y for y in range(middle) for x in range(y, middle)):
        after = PolygonsPosition(2, size)
        after.play(first)
        second, seen = _second_dot(after)
        looked += seen
        if second is None:
            raise AssertionError("Seat 0 wins from this first dot, which was never found on any paper.")
    return Solution(1, 1, "win", looked)
