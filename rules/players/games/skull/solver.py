"""Skull solved by search. What counts is the cells that may be taken at either end and those that nothing touched."""

from rules.players.games.skull.position import neighbours
from rules.players.solving import BudgetSpent


class Solver:
    """A solver of one board. `looked` counts the positions looked at, of which there may be `limit`."""

    def __init__(self, width: int, height: int, limit: int) -> None:
        self.looked = 0
        self.limit = limit
        self._width = width
        self._beside = neighbours(width, height)
        every = (1 << width * height) - 1
        left = sum(1 << width * row for row in range(height))
        self._not_left, self._not_right = every & ~left, every & ~(left << (width - 1))
        self._every = every
        self._known: dict[tuple[int, int, int], bool] = {}
        self._nimbers: dict[tuple[int, int], int] = {}

    def opens(self, cell: int) -> bool:
        """Return True if the player who lays the first skull on a cell wins."""
        beside = self._beside[cell]
        untouched = self._every & ~beside & ~(1 << cell)
        rest = beside
        while rest:
            bit = rest & -rest
            rest ^= bit
            grown = self._beside[bit.bit_length() - 1] & untouched
            if not self.wins(beside & ~bit, grown, untouched & ~grown):
                return False
        return True

    def wins(self, near: int, far: int, untouched: int) -> bool:
        """Return True if the player on turn wins. `near` and `far` may be taken, at either end of the path.

        Raises BudgetSpent.
        """
        if not near or not far:
            return self._nimber(near | far, untouched) != 0
        by_near, by_far = self._reach(near, untouched), self._reach(far, untouched)
        if not by_near & by_far and not self._grow(near) & far:
            # The ends never meet again: two games side by side, of which the player on turn moves in one.
            return self._nimber(near, by_near) != self._nimber(far, by_far)
        untouched = by_near | by_far
        key = (near, far, untouched) if near < far else (far, near, untouched)
        known = self._known.get(key)
        if known is None:
            self._count()
            known = self._known[key] = self._search(near, far, untouched)
        return known

    def _search(self, near: int, far: int, untouched: int) -> bool:
        beside = self._beside
        after: list[tuple[int, int, int, int]] = []
        for end, other in ((near, far), (far, near)):
            rest = end
            while rest:
                bit = rest & -rest
                rest ^= bit
                touched = beside[bit.bit_length() - 1]
                grown, kept = touched & untouched, other & ~touched
                if not grown and not kept:
                    return True
                after.append(((grown | kept).bit_count(), grown, kept, untouched & ~touched))
        after.sort()  # the fewest replies first: they are refuted soonest
        return any(not self.wins(grown, kept, left) for _, grown, kept, left in after)

    def _nimber(self, near: int, untouched: int) -> int:
        """The size of the Nim heap that a path with one end stands for."""
        if not near:
            return 0
        reach = self._reach(near, untouched)
        known = self._nimbers.get((near, reach))
        if known is None:
            self._count()
            found, rest = 0, near
            while rest:
                bit = rest & -rest
                rest ^= bit
                touched = self._beside[bit.bit_length() - 1]
                found |= 1 << self._nimber(touched & reach, reach & ~touched)
            known = self._nimbers[near, reach] = (~found & (found + 1)).bit_length() - 1
        return known

    def _count(self) -> None:
        self.looked += 1
        if self.looked > self.limit:
            raise BudgetSpent

    def _grow(self, cells: int) -> int:
        width = self._width
        return (
            (cells & self._not_right) << 1 | (cells & self._not_left) >> 1 | cells << width | cells >> width
        )

    def _reach(self, near: int, untouched: int) -> int:
        """The untouched cells that a path through `near` may come to."""
        reach = self._grow(near) & untouched
        while (grown := (reach | self._grow(reach)) & untouched) != reach:
            reach = grown
        return reach
