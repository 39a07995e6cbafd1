"""Exact play of the joining phase: who gets more regions, by alpha-beta over paths, each closed path counted once."""

from collections.abc import Sequence

from rules.players.games.polygons.plane import Points, count_regions
from rules.players.player import BudgetSpent


class JoiningSolver:
    """Solves paths over the same dots, which are numbered from 0.

    A result is 1 where seat 0 wins, 0 for a tie and -1 where seat 1 wins.
    """

    def __init__(self, points: Points, limit: int) -> None:
        self.points, self.limit, self.spent = points, limit, 0
        count = len(points)
        # Each pair of dots has a bit, so that a closed path is a number, whatever its start and direction.
        self._bits = [[0] * count for _ in range(count)]
        bit = 1
        for one in range(count):
            for other in range(one):
                self._bits[one][other] = self._bits[other][one] = bit
                bit <<= 1
        self._results: dict[int, int] = {}

    def result(self, path: Sequence[int], low: int = -1, high: int = 1) -> int:
        """Return the result under best play; where it is not between `low` and `high`, only on which side it is.

        The path has at least two dots. Raises BudgetSpent.
        """
        bits = self._bits
        key = sum(bits[path[i]][path[i + 1]] for i in range(len(path) - 1))
        rest = tuple(dot for dot in range(len(self.points)) if dot not in path)
        return self._search(tuple(path), rest, key, low, high)

    def _search(self, path: tuple[int, ...], rest: tuple[int, ...], key: int, low: int, high: int) -> int:
        self.spent += 1
        if self.spent > self.limit:
            raise BudgetSpent
        pen = path[-1]
        bits = self._bits[pen]
        if len(rest) < 2:
            return self._closed(path + rest, key | bits[rest[0]] if rest else key)
        if len(path) % 2:
            best = -1
            for place, dot in enumerate(rest):
                below = rest[:place] + rest[place + 1 :]
                result = self._search((*path, dot), below, key | bits[dot], low, high)
                if result > best:
                    best = result
                    low = max(low, result)
                if low >= high or best == 1:
                    break
            return best
        best = 1
        for place, dot in enumerate(rest):
            below = rest[:place] + rest[place + 1 :]
            result = self._search((*path, dot), below, key | bits[dot], low, high)
            if result < best:
                best = result
                high = min(high, result)
            if low >= high or best == -1:
                break
        return best

    def _closed(self, path: tuple[int, ...], key: int) -> int:
        key |= self._bits[path[-1]][path[0]]
        result = self._results.get(key)
        if result is None:
            odd, even = count_regions([self.points[dot] for dot in path])
            result = self._results[key] = (odd > even) - (odd < even)
            self.spent += CLOSED
        return result


CLOSED = 20
"""Counting the regions of a closed path takes as long as looking at so many positions."""
