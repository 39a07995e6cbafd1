"""The whole game from its start: alpha-beta over the squares, with the drawing phases solved below it."""

from collections.abc import Callable

from rules.core.bits import Bits
from rules.core.notation import Cell
from rules.games.spaghetti import Spaghetti
from rules.players.games.spaghetti.position import SpaghettiPosition
from rules.players.games.spaghetti.solver import FAR, Drawing
from rules.players.games.spaghetti.tables import tables
from rules.players.player import Solution

Leaf = Callable[[SpaghettiPosition, int, int], tuple[int, int]]
"""Returns the value of a drawing phase for seat 0, or a bound of it outside of the window, and the positions seen."""

_UNLIMITED = 1 << 62


def plain_leaf(position: SpaghettiPosition, alpha: int, beta: int) -> tuple[int, int]:
    """Solve a drawing phase in plain Python. Seat 1 draws first, so its values are the negative ones."""
    drawing = Drawing(position, _UNLIMITED)
    return -drawing.value(drawing.start, -beta, -alpha), drawing.nodes


def solve_game(size: int, leaf: Leaf) -> Solution:
    """Solve the game on a board of this size."""
    filling = _Filling(size, leaf)
    value = filling.value(filling.start, -FAR, FAR)
    end = "tie" if value == 0 else "win"
    return Solution(None if value == 0 else 0 if value > 0 else 1, abs(value), end, filling.nodes)


class _Filling:
    """The filling phase. Boards that are the same but for turns and reflections are solved once."""

    def __init__(self, size: int, leaf: Leaf) -> None:
        self._leaf = leaf
        self._turns = _turns(size)
        self._known: dict[Bits, tuple[int, int]] = {}
        self.nodes = 0
        self.start = SpaghettiPosition(Spaghetti().start({"size": size}, 2))

    def value(self, position: SpaghettiPosition, alpha: int, beta: int) -> int:
        """Return the points of seat 0 minus those of seat 1, or a bound of that outside of the window."""
        key = self._canonical(position.filled)
        low, high = self._known.get(key, (-FAR, FAR))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if not position.left:
            value, nodes = self._leaf(position, alpha, beta)
            self.nodes += nodes
        else:
            self.nodes += 1
            value = self._best(position, alpha, beta)
        if value <= alpha:
            self._known[key] = low, value
        else:
            self._known[key] = value, high if value >= beta else value
        return value

    def _best(self, position: SpaghettiPosition, alpha: int, beta: int) -> int:
        highest = position.mover == 0
        best = -FAR if highest else FAR
        seen = set()
        for code in position.moves():
            after = position.copy()
            after.play(code)
            key = self._canonical(after.filled)
            if key in seen:
                continue
            seen.add(key)
            value = self.value(after, alpha, beta)
            if highest:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def _canonical(self, filled: Bits) -> Bits:
        """Return the least of the sets that turns and reflections make of this one."""
        squares = [number for number in range(len(self._turns[0])) if filled >> number & 1]
        return min(sum(1 << turn[number] for number in squares) for turn in self._turns)


def _turns(size: int) -> tuple[tuple[int, ...], ...]:
    """Return where each square goes, by number, in the eight ways to turn and reflect the board."""
    table = tables(size)
    found = []
    for flip in (False, True):
        for quarter in range(4):
            image = []
            for column, row in table.squares:
                x, y = (row, column) if flip else (column, row)
                for _ in range(quarter):
                    x, y = size - 1 - y, x
                image.append(table.number[Cell(x, y)])
            found.append(tuple(image))
    return tuple(found)
