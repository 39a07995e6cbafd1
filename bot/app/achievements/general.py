"""Achievements of every game."""

from collections.abc import Iterator

from bot.app.achievements.achievement import Played, Progress, measured

STRINGS = 4
"""Forced answers in a row that make a puppeteer."""
BEHIND = 5
"""The deficit from which a player must come back."""
CROWD = 4
"""Players at a full table."""


def _puppeteer(game: Played) -> Iterator[Progress]:
    """Return the moves of the winner that left only one answer, counted back from the one before the deciding move."""
    winner, forced = game.winner, 0
    if winner is None:
        return
    for step in game.steps:
        if step.seat == winner and not step.after.over:
            moves = step.after.legal()
            forced = forced + 1 if moves is not None and len(moves) == 1 else 0
    yield Progress(winner, forced, STRINGS)


def _lazarus(game: Played) -> Iterator[Progress]:
    winner = game.winner
    if winner is None:
        return
    tallies = (step.after.scores for step in game.steps if not step.after.over)
    behind = (max(scores) - scores[winner] for scores in tallies if scores is not None)
    yield Progress(winner, max(behind, default=0), BEHIND)


def _crowd(game: Played) -> Iterator[Progress]:
    if game.winner is not None:
        yield Progress(game.winner, len(game.seats) - 1, CROWD - 1)


ACHIEVEMENTS = (
    measured(
        "puppeteer",
        "Puppeteer",
        "You won, and each of your four moves before the last one left the next player only one legal move.",
        "If you pull the strings, the other player never has to think.",
        _puppeteer,
    ),
    measured(
        "lazarus",
        "Lazarus",
        "You were five points behind, and won.",
        "Written off, and up again.",
        _lazarus,
    ),
    measured(
        "crowd",
        "One against the Crowd",
        "You beat three or more others at one table, and all of them stayed to the end.",
        "Two is company. Win where it is more.",
        _crowd,
    ),
)
