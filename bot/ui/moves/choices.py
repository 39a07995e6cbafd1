"""The effects of legal moves, found by playing each of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import render
from rules.core.game import Seat
from rules.core.match import Match


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move by its canonical text, its effect in a few words ("" if there is none to tell), and the points that
    its player gains by it: their own beyond what each of the choices brings, less what it brings the others."""

    text: str
    effect: str
    gain: int


def describe_moves(match: Match, seat: Seat, texts: Iterable[str]) -> list[Choice]:
    """Play each of these legal moves of `seat`, which takes some milliseconds per move, and return its effect.

    If all of several moves have the same effect, it is left out.
    """
    found = [_choice(match, seat, text) for text in texts]
    usual = min((own for _, own in found), default=0) if len(found) > 1 else 0
    choices = [replace(choice, gain=choice.gain - usual) for choice, _ in found]
    if len({choice.effect for choice in choices}) == 1 < len(choices):
        return [replace(choice, effect="") for choice in choices]
    return choices


def _choice(match: Match, seat: Seat, text: str) -> tuple[Choice, int]:
    """The choice, its gain with all points of its player's own, and these points."""
    after = match.play(seat, text)
    _, _, effect = render.caption(after.observe(None)).partition(", ")
    if not match.scores or not after.scores:
        return Choice(text, effect, 0), 0
    changes = [new - old for old, new in zip(match.scores, after.scores, strict=True)]
    own = changes.pop(seat)
    return Choice(text, effect, own - sum(changes)), own
