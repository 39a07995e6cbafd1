"""Uncooked Spaghetti, plainly: every pair of points on the rim against every filled square."""

from collections.abc import Mapping
from functools import partial

from rules.core.notation import Cell, read_cell
from tests.rules.plain import Facts, PlainGame, TextTurn, best, name


class Plain(PlainGame):
    def __init__(self, size: int) -> None:
        self.size = size
        self.filled: list[tuple[int, int]] = []
        self.lines: list[tuple[int, int]] = []
        self.points: list[int] = [0, 0]
        self.mover = 0

    def place(self, vertex: int) -> tuple[int, int]:
        """Return the lattice point of a vertex of the rim."""
        size = self.size
        side, along = divmod(vertex - 1, size)
        return ((along, size), (size, size - along), (size - along, 0), (0, along))[side]

    def moves(self) -> list[tuple[int, int]]:
        size = self.size
        if len(self.filled) < size:
            cells = [(column, row) for column in range(size) for row in range(size)]
            return [cell for cell in cells if cell not in self.filled]
        used = [end for line in self.lines for end in line]
        ends = [end for end in range(1, 4 * size + 1) if end not in used]
        return [(low, high) for low in ends for high in ends if low < high and self.allowed(low, high)]

    def allowed(self, low: int, high: int) -> bool:
        (ax, ay), (bx, by) = self.place(low), self.place(high)
        if (ax == bx and ax in (0, self.size)) or (ay == by and ay in (0, self.size)):
            return False
        for column, row in self.filled:
            turns = []
            for x, y in ((column, row), (column + 1, row), (column, row + 1), (column + 1, row + 1)):
                turns.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
            if min(turns) < 0 < max(turns):
                return False
        return True

    def make(self, move: tuple[int, int]) -> None:
        if len(self.filled) < self.size:
            self.filled.append(move)
            # The second player draws first, whoever filled last.
            self.mover = 1 if len(self.filled) == self.size else 1 - self.mover
            return
        for low, high in self.lines:
            if (move[0] < low < move[1]) != (move[0] < high < move[1]):
                self.points[1 - self.mover] += 1
        self.lines.append(move)
        self.mover = 1 - self.mover

    def text(self, move: tuple[int, int]) -> str:
        return name(move) if len(self.filled) < self.size else f"{move[0]}-{move[1]}"

    def winners(self) -> list[int]:
        return best(self.points)


def turns(options: Mapping[str, int]) -> tuple[TextTurn, ...]:
    """Return the square board turned and mirrored, with vertices counted along the rim."""
    ways = [(quarters, flip) for flip in (False, True) for quarters in range(4)]
    return tuple(partial(turned, options["size"], *way) for way in ways)


def turned(size: int, quarters: int, flip: bool, text: str) -> str:
    """Return a move on the board that was mirrored in its diagonal from vertex 1 if `flip`, then turned clockwise."""
    if "-" in text:
        low, high = (int(end) - 1 for end in text.split("-"))
        ends = [(quarters * size + (-end if flip else end)) % (4 * size) + 1 for end in (low, high)]
        return f"{min(ends)}-{max(ends)}"
    cell = read_cell(text, text)
    if flip:
        cell = Cell(size - 1 - cell.row, size - 1 - cell.column)
    for _ in range(quarters):
        cell = Cell(cell.row, size - 1 - cell.column)
    return str(cell)


FACTS = Facts(
    small={"size": 2},
    counts=(
        ({"size": 2}, "", (1, 4, 12, 68, 144, 96, 0)),
        ({"size": 3}, "", (1, 9, 72, 504)),
        ({"size": 4}, "", (1, 16, 240)),
        ({"size": 3}, "b2 c3 a3", (1, 16, 144, 588, 720)),
        ({"size": 3}, "a1 b1 c1", (1, 18, 182, 864)),
        ({"size": 3}, "a1 b2 c3", (1, 14, 110, 360, 240, 0)),
    ),
    transposed=("c3 d4 e6", "e6 d4 c3"),
    turns=turns,
)
