"""Polygons & Dots, plainly: every point of the paper against every pair of dots."""

from tests.rules.plain import Facts, PlainGame, best, name
from tests.rules.plain.faces import faces
from tests.rules.plain.turns import square_turns

Dot = tuple[int, int]


class Plain(PlainGame):
    def __init__(self, dots: int, size: int) -> None:
        self.number, self.size = 2 * dots, size
        self.dots: list[Dot] = []
        self.path: list[Dot] = []

    def free(self) -> list[Dot]:
        """Return the points where a dot may go."""
        found = []
        for column in range(self.size):
            for row in range(self.size):
                good = len(self.dots) < self.number and (column, row) not in self.dots
                for a in self.dots:
                    for b in self.dots:
                        if a < b and good:
                            turn = (b[0] - a[0]) * (row - a[1]) - (b[1] - a[1]) * (column - a[0])
                            good = turn != 0
                if good:
                    found.append((column, row))
        return found

    def moves(self) -> list[list[Dot]]:
        if not self.path:
            free = self.free()
            if free:
                return [[dot] for dot in free]
        starts = [self.path[-1]] if self.path else self.dots
        ends = [dot for dot in self.dots if dot not in self.path]
        return [[start, end] for start in starts for end in ends if start != end]

    def make(self, move: list[Dot]) -> None:
        if len(move) == 1:
            self.dots += move
        elif self.path:
            self.path.append(move[1])
        else:
            self.path += move

    def text(self, move: list[Dot]) -> str:
        return "-".join(name(dot) for dot in move)

    def winners(self) -> list[int]:
        points = [0, 0]
        for walk in faces(list(zip(self.path, self.path[1:] + self.path[:1], strict=True))):
            points[1 - len(walk) % 2] += 1
        return best(points)


FACTS = Facts(
    small={"dots": 2, "size": 10},
    counts=(
        ({"dots": 2, "size": 10}, "", (1, 100, 9900)),
        ({"dots": 3, "size": 10}, "d2 h8 a6 g6 c4 g4", (1, 30, 120, 360, 720, 720, 0)),
    ),
    transposed=("a1 c3 e6", "e6 c3 a1"),
    one_order=True,
    turns=square_turns,
)
