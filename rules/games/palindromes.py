"""The Palindromic Card Game: Leroy Quet, Games Conceived, December 2008."""

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from types import MappingProxyType
from typing import TypeVar

from rules.core.errors import Illegal, Unreadable, shown
from rules.core.game import Game, Option, Seat, Sheet, frozen
from rules.core.notation import letters, suits, tidy
from rules.core.prompt import RowPrompt, WordsPrompt

Row = str
"""Cards from left to right: R is red, B is black."""


@lru_cache(maxsize=1 << 10)
def palindromes(row: Row) -> tuple[Row, ...]:
    """Return the distinct palindromes of a row that begin and end red, shortest first."""
    red = [index for index, card in enumerate(row) if card == "R"]
    names = {row[first : last + 1] for first in red for last in red if first <= last}
    return tuple(sorted((name for name in names if name == name[::-1]), key=lambda name: (len(name), name)))


def check_row(row: Row, hand: tuple[int, int]) -> None:
    """Raise Illegal unless the row is the whole hand; the marks are the colours that are too few or too many."""
    counts = row.count("R"), row.count("B")
    if counts != hand:
        off = [colour for colour, laid, held in zip("RB", counts, hand, strict=True) if laid != held]
        raise Illegal(
            f"Lay all your cards, {hand[0]} {suits('R')} and {hand[1]} {suits('B')}; this row has"
            f" {counts[0]} {suits('R')} and {counts[1]} {suits('B')}.",
            rule="cards" if sum(counts) != sum(hand) else "colours",
            marks=off,
        )


def between(row: Row, start: int, end: int) -> Row:
    """Return the cards of a row from one to another, counted from 1, in either direction. Raises Unreadable."""
    first, last = sorted((start, end))
    if not 1 <= first <= last <= len(row):
        raise Unreadable(f"The cards of the other row go from 1 to {len(row)}.")
    return row[first - 1 : last]


def check_name(name: Row, row: Row, named: tuple[Row, ...]) -> None:
    """Raise Illegal unless the name may be found in the row; the mark is the name."""
    if name in named:
        raise Illegal(
            f"You have named {suits(name)} before; name another palindrome.", rule="named", marks=[name]
        )
    if not name.startswith("R") or not name.endswith("R"):
        raise Illegal(
            f"{suits(name)} does not begin and end with {suits('R')}.",
            rule="ends",
            marks=[name],
        )
    if name != name[::-1]:
        raise Illegal(
            f"{suits(name)} is no palindrome: from the other end it reads {suits(name[::-1])}.",
            rule="palindrome",
            marks=[name],
        )
    if name not in row:
        raise Illegal(f"{suits(name)} is not in the other row.", rule="row", marks=[name])


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
    """`reds` is what seat 0 was dealt, None before.

    By seat: the row laid, the names found in the OTHER row, the wrong names, done. A search is done with the last of so
    many `misses`, 0 for any number (then they are not recorded).
    """

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


T = TypeVar("T")

_DEAL = re.compile(r"deal\s*([0-9]{1,3})")
_ARRANGE = re.compile(r"(?:arrange\s*:?\s*)?([rb][rb\s,.-]*)")
_FIND = re.compile(r"(?:find\s*:?\s*)?([rb]+|[rb](?:[\s,.-]+[rb])+)")
_SPAN = re.compile(r"(?:find\s*:?\s*)?#?([0-9]{1,2})(?:(?:\s*(?:[-–—:.]+|to)\s*|\s+)#?([0-9]{1,2}))?")


class Palindromes(Game[PalindromesState, PalindromesMove]):
    """Hide your red cards from symmetry, then look for it in the other row."""

    key = "palindromes"
    sheet = Sheet(
        title="The Palindromic Card Game",
        short="Palindromes",
        author="Leroy Quet",
        year=2008,
        place="posted on his blog Games Conceived, December 2008",
        pitch="Lay your cards so crookedly that nobody finds a mirror in them.",
        goal="Score the most: your red cards, less the palindromes that your opponent finds among them.",
        play=(
            "Half of the cards are red and half black. You are dealt half of all the cards, in any mixture.",
            "Arrange all your cards in one row, in secret, both at the same time. Then both rows are shown.",
            (
                "Now look for palindromes in the OTHER row, again in secret: stretches of neighbouring cards that read"
                " the same from both ends and that begin and end with red. A single red card is one."
            ),
            "A palindrome counts once, however often it stands in the row. Say done when you find no more.",
            (
                "With `misses` 3, as in the named sizes, your third wrong guess ends your search: one that is no"
                " palindrome or is not in the row. With `misses` 0 wrong guesses cost nothing."
            ),
        ),
        end="When both are done, your score is the number of red cards in your row, less the palindromes that were"
        " found in it. The higher score wins; equal scores are a draw.",
        example=suits("RBBRRBBBRBBR")
        + " has 5 red cards. "
        + ", ".join(map(suits, ("R", "RR", "RBBR")))
        + f" and {suits('RBBBR')} can be found: {suits('RBBR')} is there twice and counts once, and {suits('BBRBB')}"
        " does not count because its ends are black. So this row is worth at least 1.",
        house=(
            (
                "A name that does not begin and end red or was named before is refused with the reason, and costs"
                " nothing. So is a name that is no palindrome or is not in the row, if `misses` is 0."
            ),
            "Wrong guesses are counted, unless `misses` is 0, because guessing would be the best search otherwise.",
            "Once you have said done you cannot name any more.",
            "A hand has 8 to 26 cards: in a row of fewer than 8, every red card can be answered by a palindrome.",
        ),
    )
    sealed = frozenset({"arrange"})
    options = (
        Option("cards", 16, 8, 26, "cards in each hand"),
        Option("misses", 0, 0, 9, "wrong guesses per search, 0: any number", extra=True),
    )
    sizes = MappingProxyType(
        {
            "quick": {"cards": 10, "misses": 3},
            "standard": {"cards": 12, "misses": 3},
            "long": {"cards": 16, "misses": 3},
        }
    )

    def start(self, options: Mapping[str, int], players: int) -> PalindromesState:
        return PalindromesState(options["cards"], misses=options["misses"])

    def to_move(self, state: PalindromesState) -> tuple[Seat | None, ...]:
        if state.reds is None:
            return (None,)
        if not state.arranged:
            return tuple(seat for seat, row in enumerate(state.rows) if row is None)
        return tuple(seat for seat, done in enumerate(state.done) if not done)

    def phase(self, state: PalindromesState) -> str:
        if state.reds is None:
            return "deal"
        return "search" if state.arranged else "arrange"

    def secret(self, state: PalindromesState) -> bool:
        return True

    def legal(self, state: PalindromesState) -> tuple[PalindromesMove, ...] | None:
        return () if state.over else None

    def chances(self, state: PalindromesState) -> tuple[tuple[PalindromesMove, int], ...]:
        """Hypergeometric: `cards` dealt out of as many red and as many black ones."""
        if state.reds is not None:
            return ()
        return tuple((Deal(reds), comb(state.cards, reds) ** 2) for reds in range(state.cards + 1))

    def parse(self, state: PalindromesState, seat: Seat | None, text: str) -> PalindromesMove:
        words = letters(tidy(text))
        if words.rstrip(".! ") == "done":
            return Done()
        if deal := _DEAL.fullmatch(words):
            return Deal(int(deal[1]))
        # Bare cards mean a row while rows are being laid, and a name once they lie.
        names = words.startswith("find") or (state.arranged and not words.startswith("arrange"))
        if cards := (_FIND if names else _ARRANGE).fullmatch(words):
            row = re.sub("[^RB]", "", cards[1].upper())
            return Find(row) if names else Arrange(row)
        if state.arranged and seat is not None and (span := _SPAN.fullmatch(words)):
            return Find(between(state.rows[1 - seat] or "", int(span[1]), int(span[2] or span[1])))
        right = f"say `{_lay(state)}`"
        if state.arranged:
            right = f"say one palindrome, like `{_EXAMPLE}` or `1-3` (from card to card), or `done`"
        raise Unreadable(f"{shown(text)} cannot be read; {right}.")

    def format(self, move: PalindromesMove) -> str:
        match move:
            case Deal(reds):
                return f"deal {reds}"
            case Arrange(row):
                return f"arrange {row}"
            case Find(name):
                return f"find {name}"
            case Done():
                return "done"

    def apply(self, state: PalindromesState, seat: Seat | None, move: PalindromesMove) -> PalindromesState:
        match move, self.phase(state):
            case Deal(reds), "deal" if seat is None:
                if not 0 <= reds <= state.cards:
                    raise Illegal(
                        f"Seat 0 can be dealt 0 to {state.cards} of the red cards, not {reds}.", rule="deal"
                    )
                return replace(state, reds=reds)
            case Arrange(row), "arrange" if seat is not None:
                check_row(row, state.hand(seat))
                return replace(state, rows=_put(state.rows, seat, row))
            case Find(name), "search" if seat is not None:
                return _named(state, seat, name)
            case Done(), "search" if seat is not None:
                return replace(state, done=_put(state.done, seat, True))
        raise Illegal(_WHEN[self.phase(state)], rule="phase")

    def scores(self, state: PalindromesState) -> tuple[int, int] | None:
        if not state.over:
            return None
        # Never negative: reading on by one red card brings at most one new palindrome, the longest that it ends.
        first, second = (
            (row or "").count("R") - len(found)
            for row, found in zip(state.rows, reversed(state.found), strict=True)
        )
        return first, second

    def winners(self, state: PalindromesState) -> tuple[Seat, ...] | None:
        scores = self.scores(state)
        if scores is None:
            return None
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores))

    def position(self, state: PalindromesState) -> Hashable:
        # While rows are laid, all deals count as one position, so that comparing positions tells nothing of a hand.
        return state if state.arranged else (state.cards, self.phase(state))

    def observe(self, state: PalindromesState, seat: Seat | None) -> PalindromesView:
        missed = tuple(
            tuple(name for name in palindromes(row or "") if name not in found)
            for row, found in zip(reversed(state.rows), state.found, strict=True)
        )
        held = seat is not None and state.reds is not None and not state.arranged
        return PalindromesView(
            cards=state.cards,
            hand=state.hand(seat) if held and seat is not None else None,
            rows=tuple(row if state.arranged or own == seat else None for own, row in enumerate(state.rows)),
            laid=tuple(row is not None for row in state.rows),
            found=tuple(
                names if state.over or own == seat else None for own, names in enumerate(state.found)
            ),
            missed=missed if state.over else None,
            done=state.done,
            misses=state.misses,
            wrong=tuple(
                names if state.over or own == seat else None for own, names in enumerate(state.wrong)
            ),
        )

    def prompt(self, state: PalindromesState, seat: Seat) -> RowPrompt | WordsPrompt:
        # What is asked may be said in public, so neither it nor the example tells anything of a hand.
        red, sample = suits("R"), suits("RBR")
        if not state.arranged:
            reds, blacks = state.hand(seat)
            ask = f"Lay your cards so that few stretches from {red} to {red} read the same both ways."
            return RowPrompt(ask, _lay(state), (), reds, blacks)
        ask = (
            f"In your opponent's row, find stretches from {red} to {red} that read the same both ways, like {sample}"
            f" or {red} alone. Each different one takes a point from your opponent."
        )
        left = state.misses - len(state.wrong[seat]) if state.misses else None
        row, wrong = state.rows[1 - seat] or "", state.wrong[seat]
        return WordsPrompt(ask, _EXAMPLE, (), state.found[seat], "done", row, wrong, left)


_EXAMPLE = "find RBR"

_WHEN = {
    "deal": "The cards are not dealt yet, and chance deals them.",
    "arrange": "First arrange your cards; you can search when both rows are shown.",
    "search": "Both rows are shown now; find palindromes in the other row, or say done.",
}
"""By phase: the sentence that refuses a move of another phase."""


def _named(state: PalindromesState, seat: Seat, name: Row) -> PalindromesState:
    """Return the state after a seat has named a stretch of the other row.

    Raises Illegal for a name that costs nothing.
    """
    try:
        check_name(name, state.rows[1 - seat] or "", (*state.found[seat], *state.wrong[seat]))
    except Illegal as refusal:
        if not state.misses or refusal.rule not in ("palindrome", "row"):
            raise
        wrong = (*state.wrong[seat], name)
        done = len(wrong) == state.misses
        return replace(state, wrong=_put(state.wrong, seat, wrong), done=_put(state.done, seat, done))
    return replace(state, found=_put(state.found, seat, (*state.found[seat], name)))


def _put(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def _lay(state: PalindromesState) -> str:
    """Return an example of a row that tells nothing of anybody's hand."""
    return "arrange " + ("RB" * state.cards)[: state.cards]
