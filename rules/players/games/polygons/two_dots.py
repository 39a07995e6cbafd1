"""The whole game with two dots each, from the empty paper."""

from rules.players.games.polygons.joining import JoiningSolver
from rules.players.games.polygons.position import PolygonsPosition
from rules.players.player import Solution

_PLENTY = 10**6


def solve_two_dots(size: int) -> Solution:
    """Solve the game: search the dots until seat 1 is proved to win by its last one, whatever seat 0 does.

    It wins one region to none. The margin cannot be larger: three paths close four dots, and one of them is a single
    region of four sides, or all three are.
    """
    seen = 0
    start = PolygonsPosition(2, size)
    # Of the points that are mirror images of each other, the first dot needs to be tried on one only.
    middle = (size + 1) // 2
    for first in (x + size * y for y in range(middle) for x in range(y, middle)):
        after = start.copy()
        after.play(first)
        for second in after.moves():
            won, looked = _second_wins(after, second)
            seen += looked
            if won:
                break
        else:
            raise AssertionError("Seat 0 wins from this first dot, which was never found on any paper.")
    return Solution(1, 1, "win", seen)


def _second_wins(position: PolygonsPosition, second: int) -> tuple[bool, int]:
    """Return True if seat 1 wins by its first dot, against every third dot, and the number of positions."""
    position = position.copy()
    position.play(second)
    seen = 0
    for third in position.moves():
        before = position.copy()
        before.play(third)
        for last in before.moves():
            seen += 1
            if _joined(before, last) == -1:
                break
        else:
            return False, seen
    return True, seen


def _joined(position: PolygonsPosition, last: int) -> int:
    """Return the result of the joining phase after the last dot."""
    dots = [position.point(dot) for dot in (*position.dots, last)]
    solver = JoiningSolver(dots, _PLENTY)
    starts = [(one, other) for one in range(4) for other in range(4) if one != other]
    return max(solver.result(start) for start in starts)
