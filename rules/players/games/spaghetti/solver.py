"""Values of the drawing phase: alpha-beta with a memory, over the points still to be won.

They are exact if all lines are tried everywhere. Where that takes too long, only the first few lines are tried at each
position, then more and more of them: what looks best by then is nearly always good.
"""

from contextlib import suppress
from math import exp

from rules.core.bits import Bits, members
from rules.players.games.spaghetti.position import SpaghettiPosition
from rules.players.player import BudgetSpent, Solved, keepers

State = tuple[Bits, Bits, Bits, Bits, Bits, Bits]
"""The open lines, and five sets that say in binary for each of them how many drawn lines it crosses, ones first."""

FAR = 999
WIDTHS = (2, 3, 4, 6, 9, 13, 19, 28)
"""The number of lines that are tried at each position, one search after another, before all are."""
SPREAD = 4
"""The estimated lead in points that is worth about three wins in four."""
WORTH = 25
"""The playouts that an estimate counts as much as, when its error is asked for."""


class Drawing:
    """The rest of a drawing phase, with its open lines counted from 0 (`codes` are the position's own).

    Values are points that the mover will gain minus those that the opponent will gain. They hold for any score so far,
    so what is remembered serves every question about this phase. `nodes` counts positions, of which `limit` may be
    looked at.
    """

    def __init__(self, position: SpaghettiPosition, limit: int) -> None:
        table = position.table
        # Lines that forbid many others come first: less is left to search after them.
        self.codes: tuple[int, ...] = tuple(
            sorted(position.moves(), key=lambda code: -(table.touching[code] & position.open).bit_count())
        )
        self.limit = limit
        self._width = FAR
        self.nodes = 0
        self._known: dict[State, tuple[int, int]] = {}
        number = {code: index for index, code in enumerate(self.codes)}

        def compact(lines: Bits) -> Bits:
            found = members(lines & position.open, range(table.count - 1, -1, -1))
            return sum(1 << number[code] for code in found)

        self._keep = [~compact(table.touching[code]) for code in self.codes]
        self._cross = [compact(table.crossing[code]) for code in self.codes]
        ones, twos, fours, eights, rest = map(compact, position.met)
        self.start: State = (1 << len(self.codes)) - 1, ones, twos, fours, eights, rest

    def narrow(self, width: int) -> None:
        """Try no more than so many lines at each position from now on: values become estimates."""
        self._width = width
        self._known.clear()

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
        if self.nodes > self.limit:
            raise BudgetSpent
        floor, best, tries = alpha, -FAR, self._width
        crossed = ones | twos | fours | eights | rest
        lines = free & ~crossed
        cost, left = 0, crossed
        while True:
            # The lines of each cost, the cheapest first: they are most often the best.
            while lines:
                bit = lines & -lines
                lines ^= bit
                line = bit.bit_length() - 1
                value = -cost
                if free & self._keep[line]:
                    value -= self.value(self.after(state, line), -beta - cost, -alpha - cost)
                if value > best:
                    best = value
                    if value >= beta:
                        self._known[state] = best, high
                        return best
                    alpha = max(alpha, value)
                tries -= 1
                if not tries:
                    lines = left = 0
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
    root = Root(position, limit)
    try:
        return root.solve()
    except BudgetSpent:
        return None


def judge_drawing(position: SpaghettiPosition, limit: int) -> Solved | None:
    """Solve a position of the drawing phase that is not over, or estimate its value, and name its best lines.

    Returns None if `limit` positions are too few for an estimate.
    """
    root = Root(position, limit)
    needed = effort(position.open.bit_count())
    with suppress(BudgetSpent):
        for width in WIDTHS:
            if root.margin is not None and needed <= limit - root.drawing.nodes:
                break
            root.estimate(width)
        root.drawing.narrow(FAR)
        return root.solve()
    if root.margin is None:
        return None
    best = sorted(root.best, key=root.failing.__contains__)
    return Solved(
        1 / (1 + exp(-(root.lead + root.margin) / SPREAD)),
        tuple(root.drawing.codes[line] for line in best),
        root.drawing.nodes,
        WORTH,
    )


def effort(lines: int) -> float:
    """Estimate the positions that it takes to solve so many open lines: it doubles with every six."""
    return 25_000 * float(2 ** ((lines - 65) / 6))


class Root:
    """The lines that may be drawn first, with the points by which the mover leads (`lead`)."""

    def __init__(self, position: SpaghettiPosition, limit: int) -> None:
        self.drawing = Drawing(position, limit)
        self.lead = position.lead if position.mover == 0 else -position.lead
        state = self.drawing.start
        self.cost = [self.drawing.cost(state, line) for line in range(len(self.drawing.codes))]
        self.after = [self.drawing.after(state, line) for line in range(len(self.drawing.codes))]
        self.best: list[int] = sorted(range(len(self.cost)), key=self.cost.__getitem__)
        self.failing: set[int] = set()
        """Lines that are proved not to win."""
        self.margin: int | None = None
        """An estimate of what the mover will gain, if there is one."""

    def estimate(self, width: int) -> None:
        """Put the line first that gains the most by a search of this width, and set `margin` to what it gains.

        The first search has to try all lines, a later one is of use as soon as it has tried one. Raises BudgetSpent.
        """
        first, before = self.margin is None, list(self.best)
        self.drawing.narrow(width)
        top = self._gain(before[0], self.margin or 0)
        for line in before[1:]:
            if not first:
                self.margin = top
            while (gain := self._scout(line, top)) > top:
                top = gain
                self._lead_with(line)
        self.margin = top

    def _gain(self, line: int, guess: int) -> int:
        """Return what the mover gains by a line, close to the guess if it was good."""
        low, high = -FAR, FAR
        while low < high:
            points = guess - 1 if guess == high else guess
            guess = self._scout(line, points)
            if guess > points:
                low = guess
            else:
                high = guess
        return guess

    def _scout(self, line: int, points: int) -> int:
        """Return a lower bound of the mover's gain by a line if it is above so many points, else an upper bound."""
        cost = self.cost[line]
        return -cost - self.drawing.value(self.after[line], -points - cost - 1, -points - cost)

    def _lead_with(self, line: int) -> None:
        self.best.remove(line)
        self.best.insert(0, line)

    def solve(self) -> Solved:
        """Return the proven value, and the lines that keep it. Raises BudgetSpent."""
        value = self.prove()
        with suppress(BudgetSpent):
            self.sort(value)
        return Solved(value, tuple(self.drawing.codes[line] for line in self.best), self.drawing.nodes)

    def prove(self) -> float:
        """Return the mover's share of the win; `best` becomes the lines that keep it, or one of them."""
        value, self.best = keepers(self.best, self.reaches)
        return value

    def reaches(self, line: int, points: int) -> bool:
        """Return True if the mover can end ahead by so many points after drawing this line."""
        need = self.lead - self.cost[line] - points
        reached = self.drawing.value(self.after[line], need, need + 1) <= need
        if not reached and points == 1:
            self.failing.add(line)
        return reached

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
        self._lead_with(first)

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
