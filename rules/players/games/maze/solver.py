"""Exact play in the filling phase, as long as two players are left."""

from contextlib import suppress

from rules.players.games.maze.position import MazePosition
from rules.players.games.maze.trees import FAR, Pool, Trees
from rules.players.player import Solved
from rules.players.solving import BudgetSpent, keepers


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
        after = position.copy()
        after.play(code)
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
        """True if the mover can end ahead by so many points after filling this section."""
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
