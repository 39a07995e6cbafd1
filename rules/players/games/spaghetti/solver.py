"""Exact values of the drawing phase: alpha-beta with a memory, over the points still to be won."""

from contextlib import suppress

from rules.core.bits import Bits, members
from rules.players.games.spaghetti.position import SpaghettiPosition
from rules.players.player import Solved
from rules.players.solving import BudgetSpent, keepers

State = tuple[Bits, Bits, Bits, Bits, Bits, Bits]
"""The open lines, and five sets that say in binary for each of them how many drawn lines it crosses, ones first."""

FAR = 999


class Drawing:
    """The rest of a drawing phase, with its open lines counted from 0 (`codes` are the position's own).

    Values are points that the mover will gain minus those that the opponent will gain. They hold for any score so far,
    so what is remembered serves every question about this phase. `nodes` counts positions.
    """

    def __init__(self, position: SpaghettiPosition, limit: int) -> None:
        table = position.table
        self.codes: tuple[int, ...] = tuple(position.moves())
        self._limit = limit
        self.nodes = 0
        self._known: dict[State, tuple[int, int]] = {}
        number = {code: index for index, code in enumerate(self.codes)}

        def compact(lines: Bits) -> Bits:
            found = members(lines & position.open, range(table.count - 1, -1, -1))
            return sum(1 << number[code] for code in found)

        self._keep = [~compact(table.touching[code]) for code in self.codes]
        self._cross = [compact(table.crossing[code]) for code in self.codes]
        planes = [0] * 5
        for index, code in enumerate(self.codes):
            crossed = (table.crossing[code] & position.drawn).bit_count()
            for power in range(5):
                planes[power] |= (crossed >> power & 1) << index
        self.start: State = (
            (1 << len(self.codes)) - 1,
            planes[0],
            planes[1],
            planes[2],
            planes[3],
            planes[4],
        )

    def cost(self, state: State, line: int) -> int:
        """Return the points that drawing this line gives to the opponent."""
        return sum((plane >> line & 1) << power for power, plane in enumerate(state[1:]))

    def after(self, state: State, line: int) -> State:
        """Return the state once this line is drawn."""
        free, ones, twos, fours, eights, rest = state
        free &= self._keep[line]
        met = self._cross[line] & free
        to_twos = ones & met
        to_fours = twos & to_twos
        to_eights = fours & to_fours
        to_rest = eights & to_eights
        return (
            free,
            (ones ^ met) & free,
            (twos ^ to_twos) & free,
            (fours ^ to_fours) & free,
            (eights ^ to_eights) & free,
            (rest ^ to_rest) & free,
        )

    def value(self, state: State, alpha: int = -FAR, beta: int = FAR) -> int:
        """Return the value, or a bound of it where it is not between alpha and beta. Raises BudgetSpent."""
        free, ones, twos, fours, eights, rest = state
        if not free:
            return 0
        low, high = -FAR, FAR
        known = self._known.get(state)
        if known is not None:
            low, high = known
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            alpha, beta = max(alpha, low), min(beta, high)
        self.nodes += 1
        if self.nodes > self._limit:
            raise BudgetSpent
        floor, best = alpha, -FAR
        crossed = ones | twos | fours | eights | rest
        lines = free & ~crossed
        cost, left = 0, crossed
        while True:
            # The lines of each cost, the cheapest first: they are most often the best.
            while lines:
                bit = lines & -lines
                lines ^= bit
                value = -cost - self.value(
                    self.after(state, bit.bit_length() - 1), -beta - cost, -alpha - cost
                )
                if value > best:
                    best = value
                    if value >= beta:
                        self._known[state] = best, high
                        return best
                    alpha = max(alpha, value)
            if not left:
                break
            cost += 1
            lines = left & (ones if cost & 1 else ~ones) & (twos if cost & 2 else ~twos)
            lines &= (fours if cost & 4 else ~fours) & (eights if cost & 8 else ~eights)
            lines &= rest if cost & 16 else ~rest
            left &= ~lines
        self._known[state] = (low, best) if best <= floor else (best, best)
        return best


def solve_drawing(position: SpaghettiPosition, limit: int) -> Solved | None:
    """Solve a position of the drawing phase that is not over; None if it takes more than `limit` positions."""
    root = _Root(position, limit)
    try:
        value = root.prove()
    except BudgetSpent:
        return None
    with suppress(BudgetSpent):
        root.sort(value)
    return Solved(value, tuple(root.drawing.codes[line] for line in root.best), root.drawing.nodes)


class _Root:
    """The lines that may be drawn first, with the points by which the mover leads (`lead`)."""

    def __init__(self, position: SpaghettiPosition, limit: int) -> None:
        self.drawing = Drawing(position, limit)
        self.lead = position.lead if position.mover == 0 else -position.lead
        state = self.drawing.start
        self.cost = [self.drawing.cost(state, line) for line in range(len(self.drawing.codes))]
        self.after = [self.drawing.after(state, line) for line in range(len(self.drawing.codes))]
        self.best: list[int] = sorted(range(len(self.cost)), key=self.cost.__getitem__)

    def prove(self) -> float:
        """Return the mover's share of the win; `best` becomes the lines that keep it, or one of them."""
        value, self.best = keepers(self.best, self.reaches)
        return value

    def reaches(self, line: int, points: int) -> bool:
        """True if the mover can end ahead by so many points after drawing this line."""
        need = self.lead - self.cost[line] - points
        return self.drawing.value(self.after[line], need, need + 1) <= need

    def sort(self, value: float) -> None:
        """Put the best line first: when winning the one with the largest margin, else the one hardest to answer."""
        if value == 1:
            margin, first = -FAR, self.best[0]
            for line in self.best:
                # The window holds only what would be better than the best so far.
                bound = -margin - self.cost[line]
                found = -self.cost[line] - self.drawing.value(self.after[line], -FAR, bound)
                if found > margin:
                    margin, first = found, line
        else:
            first = min(self.best, key=lambda line: self.ease(line, -1 if value == 0 else 0))
        self.best.remove(first)
        self.best.insert(0, first)

    def ease(self, line: int, points: int) -> float:
        """Return the share of replies after which the mover ends ahead by no more than so many points."""
        drawing, state = self.drawing, self.after[line]
        replies = [reply for reply in range(len(self.cost)) if state[0] >> reply & 1]
        right = 0
        for reply in replies:
            # What the mover must gain from then on to end ahead by more.
            need = points + 1 - self.lead + self.cost[line] - drawing.cost(state, reply)
            right += drawing.value(drawing.after(state, reply), need - 1, need) < need
        return right / len(replies) if replies else 1.0
