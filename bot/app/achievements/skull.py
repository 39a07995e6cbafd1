"""Achievements of the Amazon Skull Game."""

from collections.abc import Iterator

from bot.app.achievements.achievement import Achievement, Played, Progress, measured
from rules.core.game import Seat
from rules.core.notation import Cell


def _yorick(game: Played) -> Iterator[Seat]:
    yield from game.losers


def _corners(game: Played) -> Iterator[Progress]:
    state = game.state
    corners = {Cell(column, row) for column in (0, state.width - 1) for row in (0, state.height - 1)}
    if game.winner is not None:
        yield Progress(game.winner, len(corners & {*state.path}), len(corners))


ACHIEVEMENTS = (
    Achievement(
        "skull.yorick",
        "Alas, Poor Yorick",
        "You lost a game of skulls, and donated your head to the pile. It was a good head.",
        "The Amazon pile takes donations. Everybody gives in the end.",
        _yorick,
    ),
    measured(
        "skull.corners",
        "Four Corners of the Earth",
        "You won with a skull in every corner of the sand.",
        "In the Amazon the dead go far: north-west, north-east, south-west, south-east.",
        _corners,
    ),
)
