"""Sealed Bids, a game for the tests alone: it has what the laws must be able to judge in any game to come.

Two to four seats, a secret chance move (a card that only seat 0 sees), secret bids made at the same time, and
seats that may leave while the others play on. Each round the highest bid that nobody else made wins the card.
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rules.core.errors import Illegal, Unreadable, shown
from rules.core.game import Game, Option, Seat, Sheet, leaders
from rules.core.notation import tidy
from rules.core.prompt import Prompt


@dataclass(frozen=True, slots=True)
class SealedState:
    """`card` is None until it is dealt; `bids` holds one entry per seat, None until it is made."""

    top: int
    rounds: int
    bids: tuple[int | None, ...]
    points: tuple[int, ...]
    card: int | None = None
    shown: tuple[tuple[int | None, ...], ...] = ()
    gone: frozenset[Seat] = frozenset()

    @property
    def due(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, bid in enumerate(self.bids) if bid is None and seat not in self.gone)


@dataclass(frozen=True, slots=True)
class SealedView:
    """The finished rounds, who has bid in this one, one's own bid, and the card for seat 0."""

    shown: tuple[tuple[int | None, ...], ...]
    done: tuple[bool, ...]
    own: int | None
    card: int | None


class Sealed(Game[SealedState, tuple[str, int]]):
    """Bid in secret: the highest bid that nobody shares wins."""

    key = "sealed"
    sheet = Sheet("Sealed Bids", "the tests", 2000, "nowhere", "Bid.", "Win.", ("Bid.",), "Soon.", "-", ())
    options = (Option("top", 3, 1, 6, "highest card"), Option("rounds", 2, 1, 4, "rounds"))
    sizes = MappingProxyType({"standard": {"top": 3, "rounds": 2}, "long": {"top": 6, "rounds": 4}})
    seats = (2, 4)
    sealed = frozenset({"bid"})

    def start(self, options: Mapping[str, int], players: int) -> SealedState:
        return SealedState(options["top"], options["rounds"], (None,) * players, (0,) * players)

    def to_move(self, state: SealedState) -> tuple[Seat | None, ...]:
        if len(state.shown) == state.rounds:
            return ()
        return (None,) if state.card is None else state.due

    def phase(self, state: SealedState) -> str:
        return "deal" if state.card is None else "bid"

    def secret(self, state: SealedState) -> bool:
        return True

    def legal(self, state: SealedState) -> tuple[tuple[str, int], ...] | None:
        return None if self.to_move(state) else ()

    def chances(self, state: SealedState) -> tuple[tuple[tuple[str, int], int], ...]:
        if self.to_move(state) != (None,):
            return ()
        return tuple((("deal", card), 1) for card in range(1, state.top + 1))

    def parse(self, state: SealedState, seat: Seat | None, text: str) -> tuple[str, int]:
        match tidy(text).split():
            case [("deal" | "bid") as word, number] if re.fullmatch("[0-9]{1,3}", number):
                return word, int(number)
        raise Unreadable(f"{shown(text)} is no bid; say it like `bid 1`.")

    def format(self, move: tuple[str, int]) -> str:
        return f"{move[0]} {move[1]}"

    def apply(self, state: SealedState, seat: Seat | None, move: tuple[str, int]) -> SealedState:
        word, number = move
        if word != self.phase(state):
            raise Illegal(f"It is not the time to {word}.", rule="phase")
        if not 1 <= number <= state.top:
            raise Illegal(f"Numbers go from 1 to {state.top}.", rule="range")
        if seat is None:
            return replace(state, card=number)
        return _settle(replace(state, bids=(*state.bids[:seat], number, *state.bids[seat + 1 :])))

    def leave(self, state: SealedState, seat: Seat) -> SealedState:
        return _settle(replace(state, gone=state.gone | {seat}))

    def scores(self, state: SealedState) -> tuple[int, ...]:
        return state.points

    def winners(self, state: SealedState) -> tuple[Seat, ...] | None:
        if self.to_move(state):
            return None
        return leaders(state.points, state.gone)

    def observe(self, state: SealedState, seat: Seat | None) -> SealedView:
        return SealedView(
            shown=state.shown,
            done=tuple(bid is not None for bid in state.bids),
            own=None if seat is None else state.bids[seat],
            card=state.card if seat == 0 else None,
        )

    def prompt(self, state: SealedState, seat: Seat) -> Prompt:
        return Prompt("Bid in secret.", "bid 1", ())


def sample(state: SealedState, seat: Seat | None, chance: random.Random) -> str:
    """Return the text of some legal move; `legal` lists none here."""
    return f"{'deal' if seat is None else 'bid'} {chance.randint(1, state.top)}"


def _settle(state: SealedState) -> SealedState:
    """Shows the bids and pays the card once every seat still playing has bid."""
    if state.card is None or state.due:
        return state
    bids = [bid for bid in state.bids if bid is not None]
    alone = [bid for bid in bids if bids.count(bid) == 1]
    best = max(alone, default=None)
    points = tuple(
        have + (state.card if best is not None and bid == best else 0)
        for have, bid in zip(state.points, state.bids, strict=True)
    )
    fresh: tuple[int | None, ...] = (None,) * len(points)
    return replace(state, points=points, bids=fresh, card=None, shown=(*state.shown, state.bids))
