"""The view of a player who is laying a row: some cards are laid, the others still in the hand."""

from dataclasses import replace

from render.board.draft import lay_row
from rules.core.game import Seat
from rules.games.palindromes import PalindromesView, Row


@lay_row.register
def laying(view: PalindromesView, row: str) -> PalindromesView:
    owner = drafting(view)
    if owner is None or view.hand is None:
        return view
    hand = view.hand[0] - row.count("R"), view.hand[1] - row.count("B")
    rows: tuple[Row | None, ...] = tuple(
        row if seat == owner else other for seat, other in enumerate(view.rows)
    )
    return replace(view, rows=rows, hand=hand)


def observer(view: PalindromesView) -> Seat | None:
    """Return the observer's seat; None for a spectator, and at the end, when all see the same."""
    seats = [seat for seat, names in enumerate(view.found) if names is not None]
    return seats[0] if len(seats) == 1 else None


def drafting(view: PalindromesView) -> Seat | None:
    """Return the observer's seat if its row is not laid yet."""
    seat = observer(view)
    return seat if seat is not None and view.hand is not None and not view.laid[seat] else None
