"""Every rejected move in the games' tables of positions: the match, the seat, the move, the rule and the marks."""

from collections.abc import Iterator
from dataclasses import dataclass

from render import RejectedMove
from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.match import Match, Observation
from tests.rules.refusals import tables


@dataclass(frozen=True)
class Case:
    """A move of `seat` that the rules reject."""

    match: Match
    seat: Seat
    move: str
    rule: str
    marks: tuple[str, ...]

    @property
    def seen(self) -> Observation:
        return self.match.observe(self.seat)

    @property
    def refused(self) -> RejectedMove:
        return RejectedMove(self.move, self.marks)


def rejected_moves() -> Iterator[Case]:
    """Yield all moves that a seat on turn can be refused."""
    for table in tables():
        for row in table.rows:
            match = table.position(row)
            seat = row.get("seat", match.to_move[0] if match.to_move else None)
            if seat is None or seat not in match.to_move:
                continue
            text = row[table.move]
            try:
                match.play(seat, text)
            except Illegal as refusal:
                yield Case(match, seat, match.reading(seat, text), refusal.rule, refusal.marks)
