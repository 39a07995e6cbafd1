"""Uncooked Spaghetti a second time, straight from the rule sheet, to compare the referee with.

Lines are lattice points, nothing is kept between moves: every pair of points on the rim is tried against every filled
square by clipping, and two lines cross when each has its ends on different sides of the other.
"""

from fractions import Fraction

Spot = tuple[int, int]
Line = tuple[Spot, Spot]


def rim(size: int) -> list[Spot]:
    """The perimeter from the top left corner, clockwise: one walks on until the way is blocked, then turns right."""
    spots, (column, row), (dx, dy) = [(0, size)], (0, size), (1, 0)
    while len(spots) < 4 * size:
        if not (0 <= column + dx <= size and 0 <= row + dy <= size):
            dx, dy = dy, -dx
        column, row = column + dx, row + dy
        spots.append((column, row))
    return spots


def sides(spot: Spot, size: int) -> set[str]:
    """The sides of the board that a spot of the rim lies on."""
    column, row = spot
    found = {"left": column == 0, "right": column == size, "bottom": row == 0, "top": row == size}
    return {side for side, there in found.items() if there}


def passes(line: Line, square: Spot) -> bool:
    """True if more than a point of the line is left when it is clipped to the square, and not on its edge."""
    (ax, ay), (bx, by) = line
    enter, leave = Fraction(0), Fraction(1)
    for start, way, low in ((ax, bx - ax, square[0]), (ay, by - ay, square[1])):
        if way == 0:
            if not low < start < low + 1:
                return False
            continue
        near, far = sorted((Fraction(low - start, way), Fraction(low + 1 - start, way)))
        enter, leave = max(enter, near), min(leave, far)
    return enter < leave


def side_of(line: Line, spot: Spot) -> int:
    (ax, ay), (bx, by) = line
    turn = (bx - ax) * (spot[1] - ay) - (by - ay) * (spot[0] - ax)
    return (turn > 0) - (turn < 0)


def cross(one: Line, other: Line) -> bool:
    return (
        side_of(one, other[0]) * side_of(one, other[1]) < 0 > side_of(other, one[0]) * side_of(other, one[1])
    )
