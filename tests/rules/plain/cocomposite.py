"""Co-Compositeness a second time, with nothing remembered but the squares in the order in which they were chosen.

What stands where, who wrote it and what it scored is worked out from that list each time, and factors by division.
"""

from collections.abc import Sequence

Square = tuple[int, int]
"""Column and row, from 0 at the bottom left."""


def factors(number: int) -> set[int]:
    """All divisors above 1."""
    return {divisor for divisor in range(2, number + 1) if number % divisor == 0}


def numbers(path: Sequence[Square], square: Square) -> list[int]:
    """Return the numbers in a square."""
    return [2 * turn + 1 for turn, other in enumerate(path) if other == square]


def moves(path: Sequence[Square], size: int) -> list[Square]:
    """Return the squares for the next number, row by row from the bottom."""
    found = []
    for row in range(size):
        for column in range(size):
            held = numbers(path, (column, row))
            if path and max(abs(column - path[-1][0]), abs(row - path[-1][1])) != 1:
                continue
            if not held or (len(held) == 1 and factors(held[0]) & factors(2 * len(path) + 1)):
                found.append((column, row))
    return found


def points(path: Sequence[Square], writers: Sequence[int], seats: int) -> list[int]:
    """The score of each seat, when `writers` says who wrote each number."""
    scored = [0] * seats
    for turn, square in enumerate(path):
        if square in path[:turn]:
            scored[writers[turn]] += 1
    return scored


def perft(path: Sequence[Square], size: int, depth: int) -> int:
    """The number of ways to write `depth` numbers, one after the other."""
    if depth == 0:
        return 1
    return sum(perft([*path, square], size, depth - 1) for square in moves(path, size))


def name(square: Square) -> str:
    return "abcdefghijklmnopqrst"[square[0]] + str(square[1] + 1)
