"""Two rows of cards as text."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from render.board.annotations.draft import lay_row, point_at
from render.board.phrases import counted, flowed, sentence
from render.board.seats import SEAT_MARKS, who
from render.board.text import Description, describe
from rules.core.game import Seat
from rules.core.match import HIDDEN, Observation
from rules.core.notation import joined, suits
from rules.games.palindromes import PalindromesView, Row


@dataclass(frozen=True, slots=True)
class Laying(PalindromesView):
    """`rest`: the cards still in the hand, in the proposed order.

    `chosen`: the card of the whole row, counted from 1, that is to change places, 0 for none.
    """

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


@describe.register
def words(view: PalindromesView, seen: Observation) -> Description:
    return Description(
        lambda: tuple(_position(view)),
        lambda: tuple(_rows(view)),
        _SIGNS,
        _move(view, seen),
        _sums(view, " red", " found"),
    )


def note(view: PalindromesView) -> str:
    """Return the sum of each seat at the end, the higher one first: `Ada 5 − 1 = 4, Grace 5 − 5 = 0`."""
    return _sums(view, "", "")


def _sums(view: PalindromesView, red: str, found: str) -> str:
    """Return the sum of each seat at the end, with these words behind the first numbers."""
    if view.missed is None:
        return ""
    pairs = zip(view.rows, reversed(view.found), strict=True)
    counts = sorted(
        ((seat, (row or "").count("R"), len(names or ())) for seat, (row, names) in enumerate(pairs)),
        key=lambda one: one[2] - one[1],
    )
    return ", ".join(
        f"{who(seat)} {reds}{red * first} \N{MINUS SIGN} {lost}{found * first} = {reds - lost}"
        for first, (seat, reds, lost) in zip((True, False), counts, strict=True)
    )


_SIGNS = {
    "R": "red",
    "B": "black",
    "#": "face down",
    ".": "not laid",
    **{look.letter: look.word for look in SEAT_MARKS[:2]},
}


def _move(view: PalindromesView, seen: Observation) -> str:
    if seen.last is None:
        return ""
    seat, text = seen.last
    if seat is None:
        return "the cards were dealt"
    if text.startswith("find "):
        name, wrong = text.removeprefix("find "), view.wrong[seat] or ()
        if name not in wrong:
            return f"{suits(name)} was found"
        ended = " and ends the search" if wrong.index(name) + 1 == view.misses else ""
        return f"{suits(name)} was named, which is wrong{ended}"
    if text == "done" or (text == HIDDEN and view.done[seat]):
        return "the search is done"
    return "both rows are laid, and everybody can see them" if all(view.laid) else "a row was laid face down"


def wrong_names(view: PalindromesView, seat: Seat) -> str:
    """Return the number of wrong names of a seat with the number that ends a search.

    "" if any number is allowed or they are not to be seen.
    """
    names = view.wrong[seat]
    return f"{len(names)} of {view.misses} wrong" if view.misses and names is not None else ""


def _position(view: PalindromesView) -> Iterator[str]:
    if isinstance(view, Pointing):
        yield f"You have pointed at card {view.first} of the other row."
    own = drafting(view)
    if view.hand is not None and own is not None:
        reds, blacks = view.hand
        if reds + blacks:
            yield f"Your hand: {reds} red and {counted(blacks, 'black card')}."
    for seat, row in enumerate(view.rows):
        if seat == own:
            if row:
                yield f"Your row so far is {row}, R red and B black."
            if isinstance(view, Laying):
                if view.rest:
                    yield f"The rest in the proposed order: {view.rest}."
                if view.chosen:
                    yield f"You have pointed at card {view.chosen} of your row."
        elif row is not None:
            yield f"The row of {who(seat)} is {row}, R red and B black."
        elif view.laid[seat]:
            yield f"The row of {who(seat)} lies face down."
    for seat, names in enumerate(view.found):
        if names is not None and all(view.laid):
            yield f"{sentence(who(seat))[:-1]} has found {joined(names) or 'nothing'}."
            if wrong := wrong_names(view, seat):
                listed = f" ({joined(view.wrong[seat] or ())})" if view.wrong[seat] else ""
                yield f"{sentence(who(seat))[:-1]} has {wrong}{listed}."
    for seat, missed in enumerate(view.missed or ()):
        yield f"{sentence(who(seat))[:-1]} has missed {joined(missed) or 'nothing'}."
    for seat, done in enumerate(view.done):
        if done and view.missed is None:
            yield f"{sentence(who(seat))[:-1]} has stopped searching."
    if view.misses:
        yield f"The last of {view.misses} wrong names ends a search."
    yield f"There are {view.cards} cards in each row."


def _rows(view: PalindromesView) -> Iterator[str]:
    places = range(1, view.cards + 1)
    yield "  " + "".join(str(place // 10) if place % 10 == 0 else " " for place in places)
    yield "  " + "".join(str(place % 10) for place in places)
    for seat, row in enumerate(view.rows):
        yield f"{SEAT_MARKS[seat].letter} {(row or '').ljust(view.cards, '#' if view.laid[seat] else '.')}"
    if view.hand is not None and drafting(view) is not None:
        reds, blacks = view.hand
        yield from ("", f"your hand: {reds} R, {blacks} B")
        if isinstance(view, Laying) and view.rest:
            yield from ("in this order:", f"  {view.rest.rjust(view.cards)}")
    for seat, names in enumerate(view.found):
        if names is not None and all(view.laid):
            yield from _list(seat, "found", names)
            if wrong := wrong_names(view, seat):
                yield f"  {wrong}"
                yield from (f"  {line}" for line in flowed(view.wrong[seat] or (), 38))
    for seat, missed in enumerate(view.missed or ()):
        yield from _list(seat, "missed", missed)
    if view.missed is None and any(view.done):
        yield ""
        yield from (f"{SEAT_MARKS[seat].letter} is done" for seat, done in enumerate(view.done) if done)


def _list(seat: Seat, did: str, names: tuple[str, ...]) -> Iterator[str]:
    yield ""
    yield f"{SEAT_MARKS[seat].letter} {did} {len(names)}:"
    yield from (f"  {line}" for line in flowed(names, 38))
