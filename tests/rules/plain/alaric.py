"""Alaric, plainly: a list of cells, and a dictionary of the positions that have stood."""

from collections.abc import Mapping
from functools import partial

from tests.rules.plain import Facts, PlainGame, TextTurn


class Plain(PlainGame):
    def __init__(self, size: int) -> None:
        self.size = size
        self.cells = ["."] * size
        self.forbidden: list[int] = []
        self.mover = 0
        self.stood: dict[tuple[object, ...], int] = {}
        self.endless = False
        self.note()

    def note(self) -> None:
        """Count the position."""
        position = (tuple(self.cells), tuple(sorted(self.forbidden)), self.mover)
        self.stood[position] = self.stood.get(position, 0) + 1
        self.endless = self.stood[position] == 3

    def moves(self) -> list[int]:
        if self.endless:
            return []
        return [cell for cell in range(self.size) if self.cells[cell] == "." and cell not in self.forbidden]

    def make(self, move: int) -> None:
        own, enemy = "XO" if self.mover == 0 else "OX"
        self.cells[move] = own
        taken = []
        for step in (1, -1):
            run = []
            cell = (move + step) % self.size
            while self.cells[cell] == enemy:
                run.append(cell)
                cell = (cell + step) % self.size
            if self.cells[cell] == own:
                for other in run:
                    if other not in taken:
                        taken.append(other)
        for cell in taken:
            self.cells[cell] = "."
        self.forbidden = taken
        self.mover = 1 - self.mover
        self.note()

    def text(self, move: int) -> str:
        return str(move + 1)

    def winners(self) -> list[int]:
        first, second = self.cells.count("X"), self.cells.count("O")
        if self.endless or first == second:
            return [0, 1]
        return [0] if first > second else [1]


def turns(options: Mapping[str, int]) -> tuple[TextTurn, ...]:
    """Return the ring turned by every number of cells, as it is and mirrored."""
    size = options["size"]
    return tuple(partial(turned, size, way, by) for way in (1, -1) for by in range(size))


def turned(size: int, way: int, offset: int, text: str) -> str:
    """Return a cell of a ring turned by `offset` cells, and first mirrored if `way` is -1."""
    return str((way * (int(text) - 1) + offset) % size + 1)


FACTS = Facts(
    small={"size": 5},
    counts=(
        ({"size": 3}, "", (1, 3, 6, 6, 0)),
        ({"size": 4}, "", (1, 4, 12, 24, 24, 8, 0)),
        ({"size": 5}, "", (1, 5, 20, 60, 120, 140, 100, 60)),
        ({"size": 6}, "", (1, 6, 30, 120, 360, 756)),
        ({"size": 8}, "", (1, 8, 56, 336, 1680)),
        ({"size": 13}, "", (1, 13, 156, 1716)),
    ),
    transposed=("1 5 3", "3 5 1"),
    turns=turns,
)
