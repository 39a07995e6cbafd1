"""Achievements of Alaric, named for the king who sacked Rome."""

from collections.abc import Iterator

from bot.app.achievements.achievement import Achievement, Played, Progress, measured
from rules.core.game import Seat


def _eternal(game: Played) -> Iterator[Seat]:
    stones = game.scores
    if game.state.endless and stones is not None and stones[0] != stones[1]:
        yield stones.index(min(stones))


def _sack(game: Played) -> Iterator[Progress]:
    # Just the cells that a move has emptied are forbidden after it.
    taken = (
        len(step.after.state.now.forbidden)
        for step in game.steps
        if step.seat is not None and step.seat == game.winner
    )
    if game.winner is not None:
        yield Progress(game.winner, max(taken, default=0), -(-len(game.state.now.stones) // 2))


ACHIEVEMENTS = (
    Achievement(
        "alaric.eternal",
        "The Eternal City",
        "You had fewer stones in Alaric and saved a draw: the same position stood for the third time.",
        "When the ring is lost, let it turn for ever.",
        _eternal,
    ),
    measured(
        "alaric.sack",
        "The Sack of Rome",
        "You won Alaric, and one move of yours captured enough stones to fill half of the ring.",
        "August 410: one knock at the gate, and half of the ring is rubble.",
        _sack,
    ),
)
