"""Achievements of Co-Compositeness."""

from collections.abc import Iterator

from bot.app.achievements.achievement import Achievement, Played
from rules.core.game import Seat

LEAST = 5
"""The least root: 9 meets its 3 only three numbers later, which is no long way home."""


def _roots(game: Played) -> Iterator[Seat]:
    state = game.state
    roots = (held for held in state.squares if len(held) == 2 and held[0] >= LEAST)
    yield from {state.writers[high // 2] for low, high in roots if low * low == high}


ACHIEVEMENTS = (
    Achievement(
        "cocomposite.roots",
        "Back to the Roots",
        "You wrote a number on its own square root: 25 on 5, 49 on 7 or an even greater one.",
        "Every square comes from somewhere. Take one home.",
        _roots,
    ),
)
