"""The referee's judgement of a move, with the board on which an illegal one can be shown."""

from bot.app.matches.table import Table
from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.match import Match


class IllegalMove(Illegal):
    """The referee refused a move of `seat`, which is on turn at `table`; `move` is its canonical text."""

    def __init__(self, table: Table, seat: Seat, move: str, refusal: Illegal) -> None:
        super().__init__(str(refusal), rule=refusal.rule, marks=refusal.marks)
        self.table = table
        self.seat = seat
        self.move = move


def judged(table: Table, seat: Seat, text: str) -> Match:
    """The match after a seat on turn has played. Raises RuleError, and IllegalMove for a readable move."""
    try:
        return table.match.play(seat, text)
    except Illegal as refusal:
        raise IllegalMove(table, seat, table.match.reading(seat, text), refusal) from None
