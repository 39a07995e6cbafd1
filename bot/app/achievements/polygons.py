"""Achievements of Polygons & Dots."""

from collections.abc import Iterator

from bot.app.achievements.achievement import Achievement, Played
from rules.core.game import Seat


def _odds(game: Played) -> Iterator[Seat]:
    if game.winner == 1:
        yield 1


ACHIEVEMENTS = (
    Achievement(
        "polygons.odds",
        "Against All Odds",
        "You collected the even polygons, which are the rarer ones, and won.",
        "Most polygons are odd. Somebody has to like the others.",
        _odds,
    ),
)
