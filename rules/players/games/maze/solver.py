"""Exact play in the filling phase."""

from contextlib import suppress

from rules.core.bits import Bits
from rules.core.game import Seat
from rules.players.games.maze.position import MazePosition, shares_of
from rules.players.player import BudgetSpent, Solved, keepers
from rules.players.position import Shares, expected

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
            high = self.most(pool)
            low = -high
        else:
            low, high = known
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        self.count()
        floor, best = alpha, -FAR
        for rooted, rest in self.ways(pool):
            best = max(best, self.enter(rest, rooted, alpha, beta))
            alpha = max(alpha, best)
            if best >= beta:
                break
        self._note(pool, best, floor, beta, low, high)
        return best

    def most(self, pool: Pool) -> int:
        """Return the most points that the trees can hold together."""
        return sum([self._most[tree][0] for tree in pool])

    def ways(self, pool: Pool) -> list[tuple[int, Pool]]:
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
        self.count()
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

    def count(self) -> None:
        """Count one more position. Raises BudgetSpent beyond the limit."""
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


def solve_filling(position: MazePosition, limit: int) -> Solved | None:
    """Solve a position of the filling phase that is not over; None if it takes more than `limit` positions."""
    root = _Root(position, Trees(limit))
    try:
        value = root.prove()
    except BudgetSpent:
        return None
    with suppress(BudgetSpent):
        root.sort(value)
    return Solved(value, tuple(root.best), root.trees.nodes)


def solve_last_wall(position: MazePosition, limit: int) -> Solved | None:
    """Solve a position in which every wall finishes the maze; None if one does not, or if it takes too many positions.

    Of the walls that win only the first that is found is returned.
    """
    if len(position.reached()) > 1:
        return None
    trees, ways = Trees(limit), []
    for code in position.moves():
        after = position.played(code)
        assert after.beside is not None
        ways.append((code, (trees.free(trees.rooted(after.beside, after.unfilled, 0)),)))
    # Nobody has points yet, and the opponent is the first to fill.
    for share, points in ((1.0, 1), (0.5, 0)):
        keeping = []
        for code, pool in ways:
            try:
                reaches = trees.value(pool, -points, 1 - points) <= -points
            except BudgetSpent:
                return None
            if reaches:
                keeping.append(code)
                if share == 1:
                    break
        if keeping:
            return Solved(share, tuple(keeping), trees.nodes)
    return Solved(0.0, tuple(position.moves()), trees.nodes)


def enter(position: MazePosition, trees: Trees, code: int) -> tuple[Pool, int]:
    """Return what filling a section enters: the trees left aside, and the shape with this section as its root."""
    assert position.beside is not None
    section = code - position.table.count
    pool = [
        trees.free(trees.rooted(position.beside, position.unfilled, one)) for one in position.parts(section)
    ]
    return tuple(sorted(pool)), trees.rooted(position.beside, position.unfilled, section)


class _Root:
    """The sections that may be filled first, with the points by which the mover leads (`lead`)."""

    def __init__(self, position: MazePosition, trees: Trees) -> None:
        self.position, self.trees = position, trees
        self.lead = position.points[position.mover] - position.points[position.after[position.mover]]
        self.best = list(position.moves())
        self.ways = {code: enter(position, trees, code) for code in self.best}

    def prove(self) -> float:
        """Return the mover's share of the win; `best` becomes the sections that keep it, or one of them."""
        ways = sorted(self.best, key=lambda code: len(self.trees.below[self.ways[code][1]]))
        value, self.best = keepers(ways, self.reaches)
        return value

    def reaches(self, code: int, points: int) -> bool:
        """Return True if the mover can end ahead by so many points after filling this section."""
        need = points - self.lead
        return self.trees.enter(*self.ways[code], need - 1, need) >= need

    def sort(self, value: float) -> None:
        """Put the best section first: when winning that with the largest margin, else the one hardest to answer."""
        first = self.best[0]
        if value == 1:
            margin = -FAR
            for code in self.best:
                found = self.trees.enter(*self.ways[code], margin, FAR)
                if found > margin:
                    margin, first = found, code
        else:
            first = min(self.best, key=lambda code: self.ease(code, -1 if value == 0 else 0))
        self.best.remove(first)
        self.best.insert(0, first)

    def ease(self, code: int, points: int) -> float:
        """Return the share of replies after which the mover ends ahead by no more than so many points."""
        after = self.position.copy()
        mover = after.mover
        after.play(code)
        replies = after.moves()
        need = after.points[mover] - after.points[after.mover] - points
        right = sum(
            self.trees.enter(*enter(after, self.trees, reply), need - 1, need) >= need for reply in replies
        )
        return right / len(replies) if replies else 1.0


class Several:
    """A solver for more than two seats: every result is looked at, since a seat plays for its own (max^n)."""

    def __init__(self, position: MazePosition, trees: Trees) -> None:
        self.trees, self.points, self.gone, self.after = (
            trees,
            position.points[:],
            position.gone,
            position.after,
        )
        self.playing = tuple([seat for seat in range(len(self.points)) if seat not in self.gone])
        self._known: dict[tuple[int, Pool, Seat, tuple[int, ...]], Shares] = {}

    def open(self, pool: Pool, mover: Seat) -> Shares:
        """Return every seat's share where the mover may fill any section. Raises BudgetSpent."""
        points = self.points
        ahead = sorted([points[seat] for seat in self.playing])
        if not pool or ahead[-1] - ahead[-2] > self.trees.most(pool):
            return shares_of(points, self.gone)
        key = (-1, pool, mover, tuple([points[seat] - ahead[0] for seat in self.playing]))
        known = self._known.get(key)
        if known is not None:
            return known
        self.trees.count()
        found = []
        for rooted, rest in self.trees.ways(pool):
            found.append(self.enter(rest, rooted, mover))
            if found[-1][mover] == 1:
                break
        self._known[key] = best = expected(found, mover)
        return best

    def enter(self, pool: Pool, rooted: int, mover: Seat) -> Shares:
        """Return every seat's share after the mover fills the root of this shape. Raises BudgetSpent."""
        trees, after = self.trees, self.after
        below = trees.below[rooted]
        while len(below) == 1:
            mover, below = after[mover], trees.below[below[0]]
        following = after[mover]
        if not below:
            self.points[mover] += 1
            try:
                return self.open(pool, following)
            finally:
                self.points[mover] -= 1
        low = min([self.points[seat] for seat in self.playing])
        key = (
            trees.shape(below),
            pool,
            mover,
            tuple([self.points[seat] - low for seat in self.playing]),
        )
        known = self._known.get(key)
        if known is not None:
            return known
        trees.count()
        found = []
        for place, one in enumerate(below):
            if place and one == below[place - 1]:
                continue
            aside = [trees.free(other) for other in below[:place] + below[place + 1 :]]
            found.append(self.enter(tuple(sorted((*pool, *aside))), one, following))
            if found[-1][following] == 1:
                break
        self._known[key] = best = expected(found, following)
        return best


def solve_for_several(position: MazePosition, limit: int) -> Solved | None:
    """Solve a filling phase of more than two seats; None if that takes more positions, or if the mover cannot win."""
    solver, mover = Several(position, Trees(limit)), position.mover
    try:
        found = {code: solver.enter(*enter(position, solver.trees, code), mover) for code in position.moves()}
    except BudgetSpent:
        return None
    shares = expected(found.values(), mover)
    value = shares[mover]
    best = tuple([code for code, after in found.items() if after[mover] == value])
    # Who has lost can hope for errors only, which the search finds.
    return Solved(value, best, solver.trees.nodes, shares=shares) if value else None
