"""The views of a player in the middle of a move: some cards of the row are laid, or the first of a stretch chosen."""

from dataclasses import dataclass, fields, replace
from typing import Any

from render.board.annotations.draft import lay_row, point_at
from rules.core.game import Seat
from rules.games.palindromes import PalindromesView, Row


@dataclass(frozen=True, slots=True)
class Laying(PalindromesView):
    """`rest`: the cards still in the hand, in the proposed order; `chosen`: the card of the whole row, counted from 1,
    that is to change places, 0 for none."""

    rest: Row
    chosen: int


@dataclass(frozen=True, slots=True)
class Pointing(PalindromesView):
    """`first`: the card of the other row, counted from 1, at which a stretch begins."""

    first: int


@lay_row.register
def laying(view: PalindromesView, row: str, rest: str, chosen: int) -> PalindromesView:
    owner = drafting(view)
    if owner is None or view.hand is None:
        return view
    hand = view.hand[0] - row.count("R"), view.hand[1] - row.count("B")
    rows: tuple[Row | None, ...] = tuple(
        row if seat == owner else other for seat, other in enumerate(view.rows)
    )
    draft = replace(view, rows=rows, hand=hand)
    return Laying(**_values(draft), rest=rest, chosen=chosen) if rest or chosen else draft


@point_at.register
def pointing(view: PalindromesView, card: int) -> PalindromesView:
    return Pointing(**_values(view), first=card)


def _values(view: PalindromesView) -> dict[str, Any]:
    return {field.name: getattr(view, field.name) for field in fields(PalindromesView)}


def observer(view: PalindromesView) -> Seat | None:
    """Return the observer's seat; None for a spectator, and at the end, when all see the same."""
    seats = [seat for seat, names in enumerate(view.found) if names is not None]
    return seats[0] if len(seats) == 1 else None


def drafting(view: PalindromesView) -> Seat | None:
    """Return the observer's seat if its row is not laid yet."""
    seat = observer(view)
    return seat if seat is not None and view.hand is not None and not view.laid[seat] else None
