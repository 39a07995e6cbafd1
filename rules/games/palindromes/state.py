"""The moves, the state and the view of the Palindromic Card Game."""

from dataclasses import dataclass

from rules.core.frozen import frozen
from rules.core.game import Seat

Row = str
"""Cards from left to right: R is red, B is black."""


@frozen
class Deal:
    """Chance: seat 0 holds so many of the red cards, seat 1 the others."""

    reds: int


@frozen
class Arrange:
    row: Row


@frozen
class Find:
    name: Row


@frozen
class Done:
    pass


PalindromesMove = Deal | Arrange | Find | Done


@frozen
class PalindromesState:
    """`reds` is what seat 0 was dealt, None before. By seat: the row laid, the names found in the OTHER row, the wrong
    names, done. A search is done with the last of so many `misses`, 0 for any number (then they are not recorded)."""

    cards: int
    reds: int | None = None
    rows: tuple[Row | None, Row | None] = (None, None)
    found: tuple[tuple[Row, ...], tuple[Row, ...]] = ((), ())
    done: tuple[bool, bool] = (False, False)
    misses: int = 0
    wrong: tuple[tuple[Row, ...], tuple[Row, ...]] = ((), ())

    def hand(self, seat: Seat) -> tuple[int, int]:
        """Red and black cards that `seat` was dealt."""
        reds = self.reds or 0
        return (reds, self.cards - reds) if seat == 0 else (self.cards - reds, reds)

    @property
    def arranged(self) -> bool:
        return None not in self.rows

    @property
    def over(self) -> bool:
        return all(self.done)


@dataclass(frozen=True, slots=True)
class PalindromesView:
    """The view of one observer. All pairs are by seat.

    `hand`: the observer's own red and black cards until both rows lie open, None for a spectator; `rows`: None where
    not to be seen (yet); `laid` and `done`: who has arranged, who has stopped searching; `found`: the names that the
    seat has found in the other's row, None where not to be seen; `missed`: at the end the names that it overlooked.
    `misses`: the number of wrong names that ends a search, 0 for any number; `wrong`: those of the seat, as in `found`.
    """

    cards: int
    hand: tuple[int, int] | None
    rows: tuple[Row | None, ...]
    laid: tuple[bool, ...]
    found: tuple[tuple[Row, ...] | None, ...]
    missed: tuple[tuple[Row, ...], ...] | None
    done: tuple[bool, ...]
    misses: int
    wrong: tuple[tuple[Row, ...] | None, ...]
