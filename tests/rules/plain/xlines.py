"""X's and Lines, plainly: each line is walked cell by cell."""

from tests.rules.plain import Facts, PlainGame, name
from tests.rules.plain.turns import square_turns

Cell = tuple[int, int]
Route = list[Cell]


class Plain(PlainGame):
    def __init__(self, size: int) -> None:
        self.size = size
        self.xs: list[Cell] = []
        self.drawn: list[Route] = []
        self.used: list[Cell] = []
        self.level: list[Cell] = []
        self.upright: list[Cell] = []

    def moves(self) -> list[Route]:
        if len(self.xs) < self.size:
            cells = [(column, row) for column in range(self.size) for row in range(self.size)]
            return [[cell] for cell in cells if cell not in self.xs]
        found = []
        for start in [self.drawn[-1][-1]] if self.drawn else self.xs:
            for end in self.xs:
                if end == start or end in self.used:
                    continue
                if start[0] == end[0] or start[1] == end[1]:
                    routes = [[start, end]]
                else:
                    routes = [[start, (start[0], end[1]), end], [start, (end[0], start[1]), end]]
                found += [route for route in routes if self.allowed(route)]
        return found

    def walk(self, route: Route) -> tuple[list[Cell], list[Cell], list[Cell]]:
        """Return the cells between the ends, and those that are run through straight: level ones, upright ones."""
        column, row = route[0]
        over, level, upright = [], [], []
        for stop in route[1:]:
            right = (stop[0] > column) - (stop[0] < column)
            up = (stop[1] > row) - (stop[1] < row)
            column, row = column + right, row + up
            while (column, row) != stop:
                over.append((column, row))
                if right:
                    level.append((column, row))
                else:
                    upright.append((column, row))
                column, row = column + right, row + up
            over.append(stop)
        return over[:-1], level, upright

    def allowed(self, route: Route) -> bool:
        over, level, upright = self.walk(route)
        blocked = any(cell in self.xs for cell in over)
        crossed = any(cell in self.upright for cell in level) or any(cell in self.level for cell in upright)
        return not blocked and not crossed

    def make(self, move: Route) -> None:
        if len(move) == 1:
            self.xs.append(move[0])
            return
        _, level, upright = self.walk(move)
        self.drawn.append(move)
        self.level += level
        self.upright += upright
        self.used += [move[0], move[-1]]

    def text(self, move: Route) -> str:
        return "-".join(name(cell) for cell in move)

    def winners(self) -> list[int]:
        return [len(self.drawn) % 2]


FACTS = Facts(
    small={"size": 3},
    counts=(
        ({"size": 3}, "", (1, 9, 72, 504, 3744, 4776, 0)),
        ({"size": 4}, "", (1, 16, 240)),
        ({"size": 4}, "a1 b2 c3 d4", (1, 24, 96, 160, 0)),
        ({"size": 5}, "a2 b5 d1 e4 c3", (1, 40, 224, 680, 820, 0)),
        ({"size": 6}, "a1 c2 e3 b4 d5 f6", (1, 60, 460, 2288)),
        ({"size": 8}, "b2 g2 d5 e7 b8 h6 f1 a4", (1, 100, 1016)),
    ),
    transposed=("a1 c3 e5", "e5 c3 a1"),
    turns=square_turns,
)
