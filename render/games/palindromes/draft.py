"""The view of a player whose row is being laid: some cards lie, the others are still in the hand."""

from dataclasses import replace

from render.board.draft import laid
from rules.core.game import Seat
from rules.games.palindromes import PalindromesView, Row


@laid.register
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
    """The seat that looks; None for a spectator, and at the end, when all see the same."""
    seats = [seat for seat, names in enumerate(view.found) if names is not None]
    return seats[0] if len(seats) == 1 else None


def drafting(view: PalindromesView) -> Seat | None:
    """The observer, if they still have their row to lay."""
    seat = observer(view)
    return seat if seat is not None and view.hand is not None and not view.laid[seat] else None
