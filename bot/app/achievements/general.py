"""Achievements of every game."""

from collections.abc import Iterator

from bot.app.achievements.achievement import Achievement, Played
from rules.core.game import Seat

STRINGS = 4
"""Forced answers in a row that make a puppeteer."""
BEHIND = 5
"""The deficit from which a player must come back."""
CROWD = 4
"""Players at a full table."""


def _puppeteer(game: Played) -> Iterator[Seat]:
    """The winner, if the last moves of this seat but the deciding one each left only one answer."""
    winner, forced = game.winner, 0
    for step in game.steps:
        if step.seat == winner and not step.after.over:
            moves = step.after.legal()
            forced = forced + 1 if moves is not None and len(moves) == 1 else 0
    if winner is not None and forced >= STRINGS:
        yield winner


def _lazarus(game: Played) -> Iterator[Seat]:
    winner = game.winner
    if winner is None:
        return
    for step in game.steps:
        scores = step.after.scores
        if scores is not None and not step.after.over and max(scores) - scores[winner] >= BEHIND:
            yield winner
            return


def _crowd(game: Played) -> Iterator[Seat]:
    if game.winner is not None and len(game.seats) >= CROWD:
        yield game.winner


ACHIEVEMENTS = (
    Achievement(
        "puppeteer",
        "Puppeteer",
        "You won, and your last four moves before that each left the next player one legal move only.",
        "If you pull the strings, the other player never has to think.",
        _puppeteer,
    ),
    Achievement(
        "lazarus",
        "Lazarus",
        "You were five points behind, and won.",
        "Written off, and up again.",
        _lazarus,
    ),
    Achievement(
        "crowd",
        "One against the Crowd",
        "You beat three others or more at one table, and all of them stayed to see it.",
        "Two is company. Win where it is more.",
        _crowd,
    ),
)
