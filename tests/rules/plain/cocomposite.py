"""Co-Compositeness, plainly: a board of lists of numbers."""

from math import gcd

from tests.rules.plain import Facts, PlainGame, best, name
from tests.rules.plain.turns import square_turns

Cell = tuple[int, int]


class Plain(PlainGame):
    def __init__(self, size: int) -> None:
        self.size = size
        self.board: list[list[list[int]]] = [[[] for _ in range(size)] for _ in range(size)]
        self.here: Cell | None = None
        self.number = 1
        self.points: list[int] = [0, 0]
        self.mover = 0

    def moves(self) -> list[Cell]:
        if self.here is None:
            return [(column, row) for column in range(self.size) for row in range(self.size)]
        found = []
        for right in (-1, 0, 1):
            for up in (-1, 0, 1):
                column, row = self.here[0] + right, self.here[1] + up
                if (right or up) and 0 <= column < self.size and 0 <= row < self.size:
                    held = self.board[column][row]
                    if not held or (len(held) == 1 and gcd(held[0], self.number) > 1):
                        found.append((column, row))
        return found

    def make(self, move: Cell) -> None:
        held = self.board[move[0]][move[1]]
        if held:
            self.points[self.mover] += 1
        held.append(self.number)
        self.here = move
        self.number += 2
        self.mover = 1 - self.mover

    def text(self, move: Cell) -> str:
        return name(move)

    def winners(self) -> list[int]:
        return best(self.points)


FACTS = Facts(
    small={"size": 4},
    counts=(
        ({"size": 4}, "", (1, 16, 84, 408, 1764, 7600)),
        ({"size": 5}, "", (1, 25, 144, 768, 3768)),
        ({"size": 16}, "", (1, 256, 1860)),
    ),
    one_order=True,
    turns=square_turns,
)
