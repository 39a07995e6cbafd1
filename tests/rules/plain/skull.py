"""The Amazon Skull Game, plainly: every cell of the board is looked at for every move."""

from tests.rules.plain import Facts, PlainGame
from tests.rules.plain.turns import cell_turns

Cell = tuple[int, int]


class Plain(PlainGame):
    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.board = [[False] * height for _ in range(width)]
        self.path: list[Cell] = []

    def neighbours(self, column: int, row: int) -> list[Cell]:
        """Return the cells with skulls beside a cell."""
        found = []
        for x, y in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            if 0 <= x < self.width and 0 <= y < self.height and self.board[x][y]:
                found.append((x, y))
        return found

    def moves(self) -> list[Cell]:
        found = []
        for column in range(self.width):
            for row in range(self.height):
                if not self.board[column][row]:
                    skulls = self.neighbours(column, row)
                    if not self.path or (len(skulls) == 1 and skulls[0] in (self.path[0], self.path[-1])):
                        found.append((column, row))
        return found

    def make(self, move: Cell) -> None:
        if self.path and self.path[-1] not in self.neighbours(*move):
            self.path.reverse()
        self.path.append(move)
        self.board[move[0]][move[1]] = True

    def text(self, move: Cell) -> str:
        return "abcdefghi"[move[0]] + str(move[1] + 1)

    def winners(self) -> list[int]:
        return [(len(self.path) + 1) % 2]


FACTS = Facts(
    small={"width": 3, "height": 3},
    counts=(
        ({"width": 9, "height": 1}, "", (1, 9, 16, 28, 48, 80, 128)),
        ({"width": 3, "height": 3}, "", (1, 9, 24, 88, 192, 320, 256, 512, 0)),
        ({"width": 4, "height": 4}, "", (1, 16, 48, 208, 640, 1920)),
        ({"width": 5, "height": 4}, "", (1, 20, 62, 280, 920, 3040)),
        ({"width": 6, "height": 5}, "", (1, 30, 98, 472, 1704)),
    ),
    transposed=("c3 c4 c2 c5", "c4 c3 c5 c2"),
    turns=lambda options: cell_turns(options["width"], options["height"]),
)
