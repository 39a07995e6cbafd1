"""Exact play of the first numbers on the largest board that is solved, by the results of all walks of five numbers.

`openings.bin` holds for each walk of `NUMBERS` numbers the result under best play for the player on turn: 1 for a win,
0 for a tie, -1 for a loss. The key of a walk is the least of those that turns and reflections make of its squares.
`python -m rules.players.games.cocomposite` writes the file again.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from rules.core.lattice import board_turns
from rules.players.games.cocomposite.position import CocompositePosition
from rules.players.packed import pack, unpack
from rules.players.player import Solved

SIZE, NUMBERS = 5, 5
FILE = Path(__file__).with_name("openings.bin")
_NINE, _THREE = 5, 2
"""The contents of squares that stand for these two numbers.

Of the first five numbers only 9 can join another one, which is 3.
"""


def walk(position: CocompositePosition) -> tuple[int, ...]:
    """Return the squares of the first numbers, in their order."""
    squares = {held: square for square, held in enumerate(position.held) if held}
    if position.board.full in squares:
        squares[_THREE] = squares[_NINE] = squares.pop(position.board.full)
    return tuple([squares[number + 1] for number in range(position.turn)])


def key(squares: Sequence[int]) -> int:
    """Return the number of a walk, the same for all its turns and reflections."""
    least = min([[turn[square] for square in squares] for turn in board_turns(SIZE, SIZE)])
    number = 0
    for square in least:
        number = number * SIZE**2 + square
    return number


def walks() -> Iterator[tuple[int, CocompositePosition]]:
    """Yield a position for each walk of `NUMBERS` numbers, with the number of the walk."""
    layer = {0: CocompositePosition.empty(SIZE)}
    for _ in range(NUMBERS):
        longer: dict[int, CocompositePosition] = {}
        for position in layer.values():
            for after in _followers(position).values():
                longer.setdefault(key(walk(after)), after)
        layer = longer
    yield from sorted(layer.items())


def _followers(position: CocompositePosition) -> dict[int, CocompositePosition]:
    found = {}
    for code in position.moves():
        found[code] = position.copy()
        found[code].play(code)
    return found


def write(results: Mapping[int, int]) -> bytes:
    """Return the contents of the file."""
    keys = sorted(results)
    return pack(keys, [results[number] for number in keys])


class Openings:
    """Results of all walks of up to `NUMBERS` numbers. Shorter walks are judged by those that continue them."""

    def __init__(self) -> None:
        keys, (results,) = unpack(FILE.read_bytes(), 1)
        self._known = {(NUMBERS, number): result for number, result in zip(keys, results, strict=True)}

    def result(self, position: CocompositePosition) -> int:
        """Return 1 if the player on turn wins, 0 for a tie and -1 for a loss."""
        place = position.turn, key(walk(position))
        if place not in self._known:
            self._known[place] = max(-self.result(after) for after in _followers(position).values())
        return self._known[place]

    def solve(self, position: CocompositePosition) -> Solved:
        """Solve a walk of fewer than `NUMBERS` numbers."""
        results = {code: -self.result(after) for code, after in _followers(position).items()}
        best = max(results.values())
        kept = tuple([code for code, result in results.items() if result == best])
        return Solved((best + 1) / 2, kept, len(results))


@cache
def openings() -> Openings:
    """Return the results that are shipped."""
    return Openings()
