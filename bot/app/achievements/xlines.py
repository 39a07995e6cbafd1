"""Achievements of X's and Lines."""

from collections.abc import Iterator

from bot.app.achievements.achievement import Achievement, Played
from rules.core.game import Seat


def _stuck(game: Played) -> Iterator[Seat]:
    state = game.state
    if game.winner is not None and 2 * len(state.used) <= len(state.xs):
        yield game.winner


ACHIEVEMENTS = (
    Achievement(
        "xlines.stuck",
        "Gloriously Stuck",
        "You had no line to draw, with half of the x's or more still waiting for one; so you won.",
        "In X's and Lines there is no shame in a dead end. The earlier, the better.",
        _stuck,
    ),
)
