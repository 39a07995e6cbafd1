"""Moves that the referee refuses, with what it takes to show why."""

from bot.app.table import Table
from rules.core.errors import Illegal
from rules.core.game import Seat


class IllegalMove(Illegal):
    """The referee refused a move of `seat`, which is on turn at `table`; `move` is its canonical text."""

    def __init__(self, table: Table, seat: Seat, move: str, refusal: Illegal) -> None:
        super().__init__(str(refusal), rule=refusal.rule, marks=refusal.marks)
        self.table = table
        self.seat = seat
        self.move = move
