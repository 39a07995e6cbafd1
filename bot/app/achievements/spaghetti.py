"""Achievements of Uncooked Spaghetti and Square Meatballs."""

from collections.abc import Iterator

from bot.app.achievements.achievement import Achievement, Played, Progress, measured
from rules.core.game import Seat

SHARED = 3
"""Points each that make a shared plate."""


def _al_dente(game: Played) -> Iterator[Seat]:
    winner, points = game.winner, game.scores
    # The opponent's points are one's own crossings.
    if winner is not None and points is not None and points[1 - winner] == 0:
        yield winner


def _tramp(game: Played) -> Iterator[Progress]:
    points = game.scores
    if points is not None and game.winner is None:
        yield from (Progress(seat, points[0], SHARED) for seat in game.seats)


ACHIEVEMENTS = (
    Achievement(
        "spaghetti.al_dente",
        "Al Dente",
        "You ended Spaghetti without crossing a single strand, and won.",
        "Good spaghetti does not stick together; yours least of all.",
        _al_dente,
    ),
    measured(
        "spaghetti.tramp",
        "Lady and the Tramp",
        "You shared one plate of spaghetti to the last strand: a draw with points for both.",
        "One plate, two players, and in the end their noses meet in the middle.",
        _tramp,
    ),
)
