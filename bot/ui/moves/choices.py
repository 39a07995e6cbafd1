"""The effects of legal moves, found by playing each of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import render
from rules.core.game import Seat
from rules.core.match import Match


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move by its canonical text, its effect in a few words ("" if there is none to tell), and the points that
    its player gains."""

    text: str
    effect: str
    gain: int


def describe_moves(match: Match, seat: Seat, texts: Iterable[str]) -> list[Choice]:
    """Play each of these legal moves of `seat`, which takes some milliseconds per move, and return its effect.

    If all of several moves have the same effect, it is left out.
    """
    choices = [_choice(match, seat, text) for text in texts]
    if len({choice.effect for choice in choices}) == 1 < len(choices):
        return [replace(choice, effect="") for choice in choices]
    return choices


def _choice(match: Match, seat: Seat, text: str) -> Choice:
    after = match.play(seat, text)
    _, _, effect = render.caption(after.observe(None)).partition(", ")
    gain = after.scores[seat] - match.scores[seat] if match.scores and after.scores else 0
    return Choice(text, effect, gain)
