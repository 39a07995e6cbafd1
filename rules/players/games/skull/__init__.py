"""The computer player of Skull, which plays exactly on every board.

- `solver.py`: the fast position, and its solution by search.
- `book.py`: the winner after the first skulls on large boards; `python -m rules.players.games.skull` writes it again.
"""

from collections.abc import Mapping
from typing import ClassVar

from rules.core.match import Match
from rules.core.notation import Cell
from rules.players.games.skull.book import outcome
from rules.players.games.skull.solver import SkullPosition, Solver
from rules.players.levels import Level
from rules.players.player import BudgetSpent, SearchPlayer, Solution, Solved

_FURTHER = 30_000
"""Positions."""


class SkullPlayer(SearchPlayer[SkullPosition]):
    """Plays exactly on every board: from a book after the first skulls on the large ones, else by search."""

    key = "skull"
    levels: ClassVar[tuple[Level, ...]] = (
        Level(2, temperature=5.0, overlooked=0.5),
        Level(8, temperature=0.4, overlooked=0.3),
        Level(24, temperature=0.13, overlooked=0.17),
        Level(40, temperature=0.035, overlooked=0.06),
        Level(6000, solver=400_000),
    )

    def position(self, match: Match) -> SkullPosition:
        return SkullPosition.of(match.state)

    def text(self, position: SkullPosition, code: int) -> str:
        row, column = divmod(code, position.width)
        return str(Cell(column, row))

    def solved(self, position: SkullPosition, limit: int) -> Solved | None:
        judge = _Judge(position, limit)
        after = {code: position.played(code) for code in position.moves()}
        replies = {code: len(it.moves()) for code, it in after.items()}
        order = sorted(after, key=lambda code: replies[code])
        winning: list[int] = []
        try:
            for code in order:
                if not judge.wins(after[code]):
                    winning.append(code)
                    judge.hurry()
        except BudgetSpent:
            if not winning:
                return None
        if winning:
            return Solved(1.0, tuple(winning), judge.looked + 1)
        judge.hurry()
        chances = {code: (1.0, -replies[code]) for code in order}
        try:
            for code in order:
                right = sum(not judge.wins(after[code].played(reply)) for reply in after[code].moves())
                chances[code] = (right / replies[code], -replies[code])
        except BudgetSpent:
            pass  # the others are taken for plain
        order.sort(key=lambda code: chances[code])
        return Solved(0.0, tuple(order), judge.looked + 1)

    def proved(self, position: SkullPosition, limit: int) -> float | None:
        try:
            return float(_Judge(position, limit).wins(position)) if position.laid else None
        except BudgetSpent:
            return None

    def hidden(self, position: SkullPosition, code: int) -> float:
        """Return 1 unless the move or each reply to it ends the game: players count cells two or three ahead."""
        after = position.played(code)
        return float(any(after.played(reply).moves() for reply in after.moves()))

    def solve(self, options: Mapping[str, int], *, compiled: bool) -> Solution:
        width, height = options["width"], options["height"]
        solver = Solver(width, height, 10**9)
        middle = sorted(
            range(width * height),
            key=lambda cell: _from_centre(cell, width, height),
            reverse=width * height % 2 == 0,
        )
        wins = any(solver.opens(cell) for cell in middle)
        return Solution(0 if wins else 1, None, "win", solver.looked + 1)


def _from_centre(cell: int, width: int, height: int) -> int:
    row, column = divmod(cell, width)
    return abs(2 * column + 1 - width) + abs(2 * row + 1 - height)


class _Judge:
    """The winners of positions of one board, by the book or by search."""

    def __init__(self, position: SkullPosition, limit: int) -> None:
        self.width = position.width
        self.height = len(position.beside) // position.width
        self._solver = Solver(self.width, self.height, limit)

    @property
    def looked(self) -> int:
        return self._solver.looked

    def hurry(self) -> None:
        """Look at a limited number of further positions only: the value is known, and the rest is a choice."""
        self._solver.limit = min(self._solver.limit, self._solver.looked + _FURTHER)

    def wins(self, position: SkullPosition) -> bool:
        """Return True if the player on turn wins a position with a skull or more. Raises BudgetSpent."""
        known = outcome(self.width, self.height, position.skulls)
        if known is not None:
            return known
        if position.laid == 1:
            return not self._solver.opens(position.skulls.bit_length() - 1)
        return self._solver.wins(position.near, position.far, position.untouched)
