"""Exact values of the filling phase.

The walls of a finished maze hang together with the boundary and enclose nothing, so its sections always form a tree.
Filling one leaves a forest. Trees of the same shape are the same here, wherever they are, which saves nearly all work.
"""

from rules.core.bits import Bits
from rules.players.solving import BudgetSpent

FAR = 99
Pool = tuple[int, ...]
"""Trees, each by the number of its shape, ascending: those that the string has not entered."""


class Trees:
    """Shapes of trees by number, and what filling them is worth: points of the mover minus those of the opponent.

    A rooted shape is known by the shapes below its root (`below`), shape 0 is a single section. A tree without a root
    has the number of the least of its rooted shapes. `nodes` counts positions up to `limit`.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.nodes = 0
        self.below: list[tuple[int, ...]] = []
        self._number: dict[tuple[int, ...], int] = {}
        # The most points that a tree can hold: all of them, and those if its root is not one of them.
        self._most: list[tuple[int, int]] = []
        self._free: list[int | None] = []
        self._rootings: dict[int, tuple[int, ...]] = {}
        self._known: dict[Pool | tuple[int, Pool], tuple[int, int]] = {}
        self.free(self.shape(()))

    def shape(self, below: tuple[int, ...]) -> int:
        """Return the rooted shape with these shapes below its root."""
        below = tuple(sorted(below))
        found = self._number.get(below)
        if found is None:
            found = self._number[below] = len(self.below)
            self.below.append(below)
            self._free.append(None)
            without = sum(self._most[one][0] for one in below)
            self._most.append((max(without, 1 + sum(self._most[one][1] for one in below)), without))
        return found

    def free(self, rooted: int) -> int:
        """Return the tree without its root."""
        known = self._free[rooted]
        if known is not None:
            return known
        found, todo = {rooted}, [rooted]
        while todo:
            below = self.below[todo.pop()]
            for place, one in enumerate(below):
                # The root moves down into this part, and all the rest hangs below it.
                rest = self.shape(below[:place] + below[place + 1 :])
                moved = self.shape((*self.below[one], rest))
                if moved not in found:
                    found.add(moved)
                    todo.append(moved)
        tree = min(found)
        for one in found:
            self._free[one] = tree
        self._rootings[tree] = tuple(sorted(found, key=lambda shape: (len(self.below[shape]), shape)))
        return tree

    def rooted(self, beside: tuple[Bits, ...], unfilled: Bits, section: int, above: int = -1) -> int:
        """Return the shape of the unfilled sections that hang together with this one, which is the root."""
        left, found = beside[section] & unfilled, []
        while left:
            low = left & -left
            left ^= low
            other = low.bit_length() - 1
            if other != above:
                found.append(self.rooted(beside, unfilled, other, section))
        return self.shape(tuple(found))

    def value(self, pool: Pool, alpha: int = -FAR, beta: int = FAR) -> int:
        """Return the value where any section may be filled, or a bound of it outside of the window."""
        if not pool:
            return 0
        known = self._known.get(pool)
        if known is None:
            high = sum(self._most[tree][0] for tree in pool)
            low = -high
        else:
            low, high = known
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        self._count()
        floor, best = alpha, -FAR
        for rooted, rest in self._ways(pool):
            best = max(best, self.enter(rest, rooted, alpha, beta))
            alpha = max(alpha, best)
            if best >= beta:
                break
        self._note(pool, best, floor, beta, low, high)
        return best

    def _ways(self, pool: Pool) -> list[tuple[int, Pool]]:
        """Return the different shapes that may be entered, each with the trees that are left aside."""
        ways, last = [], -1
        for place, tree in enumerate(pool):
            if tree != last:
                last, rest = tree, pool[:place] + pool[place + 1 :]
                ways += [(rooted, rest) for rooted in self._rootings[tree]]
        ways.sort(key=lambda way: len(self.below[way[0]]))
        return ways

    def enter(self, pool: Pool, rooted: int, alpha: int = -FAR, beta: int = FAR) -> int:
        """Return the value for the player who fills the root of this shape now, or a bound of it."""
        below = self.below[rooted]
        if not below:
            return 1 - self.value(pool, 1 - beta, 1 - alpha)
        if len(below) == 1:
            return -self.enter(pool, below[0], -beta, -alpha)
        key = rooted, pool
        low, high = self._known.get(key, (-FAR, FAR))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        self._count()
        # The opponent chooses the way on.
        ceiling, worst, last = beta, FAR, -1
        for place, one in enumerate(below):
            if one == last:
                continue
            last = one
            aside = [self.free(other) for other in below[:place] + below[place + 1 :]]
            worst = min(worst, -self.enter(tuple(sorted((*pool, *aside))), one, -beta, -alpha))
            beta = min(beta, worst)
            if worst <= alpha:
                break
        self._note(key, worst, alpha, ceiling, low, high)
        return worst

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.limit:
            raise BudgetSpent

    def _note(
        self, key: Pool | tuple[int, Pool], value: int, alpha: int, beta: int, low: int, high: int
    ) -> None:
        if value <= alpha:
            self._known[key] = low, value
        elif value >= beta:
            self._known[key] = value, high
        else:
            self._known[key] = value, value
