"""The terms of a game, read from what a member chose."""

from bot.app.paces import read_pace
from db.values import Order, Terms
from rules.core.sizes import read_size
from rules.games import find


def terms_of(
    game: str, size: str, fewest: int, most: int, order: Order = Order.LOT, clock: str = ""
) -> Terms:
    """The terms for `fewest` to `most` players on a board of `size` (a name, numbers, or options by name).

    `clock` is a pace in words. Raises BadSetup, also for a number of players that the game is not for, and Refused.
    """
    found = find(game)
    options = read_size(found, size)
    for players in (fewest, most):
        found.check(options, players)
    return Terms(game, tuple(options.items()), fewest, most, order, read_pace(clock))
