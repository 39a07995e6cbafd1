"""Achievements of "Maze" of Polygonal Sections."""

from collections.abc import Iterator

from bot.app.achievements.achievement import Achievement, Played, Progress, measured
from rules.core.game import Seat

SECTIONS = 12
"""The fewest sections that one can lose the way in."""


LEAST = 2
"""The fewest strings that a maze with a monster in it has."""


def _ariadne(game: Played) -> Iterator[Seat]:
    state = game.state
    longest = max(state.strings, key=len)
    last = state.owners[longest[-1]]
    if 2 * len(longest) >= len(state.owners) >= SECTIONS and last == game.winner:
        yield last


def _minotaur(game: Played) -> Iterator[Progress]:
    points = game.scores
    if game.winner is not None and points is not None:
        yield Progress(game.winner, points[game.winner], max(LEAST, sum(points)))


ACHIEVEMENTS = (
    Achievement(
        "maze.ariadne",
        "Ariadne's Thread",
        "You won a maze, and filled the last section of a string that ran through half of the maze.",
        "Half of the maze hangs on one string. See that the end of it is in your hand.",
        _ariadne,
    ),
    measured(
        "maze.minotaur",
        "The Minotaur",
        "You won a maze of at least two strings and ended every one of them: nobody else got a point.",
        "All dead ends belong to the one who lives there.",
        _minotaur,
    ),
)
