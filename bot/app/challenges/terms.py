"""The terms of a game, read from a member's choices."""

from datetime import timedelta

from bot.app.clocks.arithmetic import live
from bot.app.errors import Refused
from db.api.challenges import Order, Terms
from db.api.clocks import TimeControl
from rules.core.sizes import read_size
from rules.games import find

SITTING = timedelta(minutes=30)
"""The longest that a challenge to a live match stays open: the challenger must still be present."""


def open_for(terms: Terms, usual: timedelta) -> timedelta:
    """The time for which a challenge on these terms stays open."""
    return min(usual, SITTING) if live(terms.time_control) else usual


def terms_of(
    game: str,
    size: str,
    fewest: int,
    most: int,
    order: Order = Order.LOT,
    time_control: TimeControl | None = None,
    rated: bool = True,
    games: int = 1,
) -> Terms:
    """The terms for `fewest` to `most` players on a board of `size` (a name, numbers, or options by name).

    Raises BadSetup, also for a number of players that the game is not for, and Refused if more than two are to play
    two games with swapped seats.
    """
    if games > 1 and most > 2:
        raise Refused(
            "Two games with swapped seats are for two players; with more, play one game after the other."
        )
    found = find(game)
    options = read_size(found, size)
    for players in (fewest, most):
        found.check(options, players)
    return Terms(game, tuple(options.items()), fewest, most, order, time_control, rated, games)
