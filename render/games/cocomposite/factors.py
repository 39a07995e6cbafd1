"""Prime factors of a number, and a pattern with as many strokes as a factor."""

from collections.abc import Iterator

from render.engine.scene import Ink, Stroke

_MOST = 9
"""The most strokes that can be counted in a square."""


def primes(number: int) -> tuple[int, ...]:
    """Return the prime factors of a number in ascending order, repeated; none for 1."""
    found = []
    factor = 2
    while factor * factor <= number:
        while number % factor == 0:
            found.append(factor)
            number //= factor
        factor += 1
    return (*found, number) if number > 1 else tuple(found)


def pattern(factor: int, half: float, width: float, ink: Ink) -> Iterator[Stroke]:
    """Yield slanting strokes in the square from -`half` to `half`, as many as the factor. The strokes of neighbouring
    odd numbers lean to different sides."""
    count = min(factor, _MOST)
    lean = 1 if factor % 4 == 3 else -1
    for stroke in range(1, count + 1):
        off = half * (2 * stroke / (count + 1) - 1)
        reach = half - abs(off)
        yield Stroke(
            ((lean * (off - reach), off + reach), (lean * (off + reach), off - reach)), width, ink, hand=0.5
        )
