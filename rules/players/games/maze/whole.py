"""The whole game from its start: alpha-beta over the walls, with the fillings solved below it."""

from rules.core.bits import Bits
from rules.games.maze import Maze
from rules.players.games.maze.position import MazePosition
from rules.players.games.maze.trees import FAR, Trees
from rules.players.player import Solution

_UNLIMITED = 1 << 62


def solve_game(size: int) -> Solution:
    """Solve the game for two players on a grid of this size."""
    drawing = _Drawing()
    value = drawing.value(MazePosition(Maze().start({"size": size}, 2)), -FAR, FAR)
    end = "tie" if value == 0 else "win"
    winner = None if value == 0 else 0 if value > 0 else 1
    return Solution(winner, abs(value), end, drawing.nodes + drawing.trees.nodes)


class _Drawing:
    """The drawing phase. Mazes of the same walls are solved once, and so are those of the same tree of sections."""

    def __init__(self) -> None:
        self.trees = Trees(_UNLIMITED)
        self.nodes = 0
        self._known: dict[Bits, tuple[int, int]] = {}

    def value(self, position: MazePosition, alpha: int, beta: int) -> int:
        """Return the points of the mover minus those of the opponent, or a bound of it outside of the window."""
        if position.beside is not None:
            rooted = self.trees.rooted(position.beside, position.unfilled, 0)
            return self.trees.value((self.trees.free(rooted),), alpha, beta)
        key = self._canonical(position)
        low, high = self._known.get(key, (-FAR, FAR))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        self.nodes += 1
        floor, best = alpha, -FAR
        for code in position.moves():
            after = position.copy()
            after.play(code)
            best = max(best, -self.value(after, -beta, -alpha))
            alpha = max(alpha, best)
            if best >= beta:
                break
        if best <= floor:
            self._known[key] = low, best
        else:
            self._known[key] = best, high if best >= beta else best
        return best

    def _canonical(self, position: MazePosition) -> Bits:
        """Return the least of the sets that turns and reflections make of the walls drawn."""
        codes = [code for code in range(position.table.count) if position.drawn >> code & 1]
        return min(sum(1 << turn[code] for code in codes) for turn in position.table.turns)
