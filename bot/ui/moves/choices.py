"""What each move would do, found by playing it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import render
from rules.core.game import Seat
from rules.core.match import Match


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move by its canonical text; what it `does` beyond being made, in a few words or ""; points it gains."""

    text: str
    does: str
    gain: int


def describe_moves(match: Match, seat: Seat, texts: Iterable[str]) -> list[Choice]:
    """What legal moves of `seat` would do, in some milliseconds each; unsaid where all of several do the same."""
    choices = [_choice(match, seat, text) for text in texts]
    if len({choice.does for choice in choices}) == 1 < len(choices):
        return [replace(choice, does="") for choice in choices]
    return choices


def _choice(match: Match, seat: Seat, text: str) -> Choice:
    after = match.play(seat, text)
    _, _, does = render.caption(after.observe(None)).partition(", ")
    gain = after.scores[seat] - match.scores[seat] if match.scores and after.scores else 0
    return Choice(text, does, gain)
