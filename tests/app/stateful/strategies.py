"""The members, the places, and the values that rules draw from."""

from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from bot.app.clocks.time_controls import read_time_control
from db.values.challenges import Order, Terms
from db.values.places import Place
from rules.core.game import Game
from rules.games import GAMES

MEMBERS = (101, 102, 103, 104)
STRANGER = 999
"""A member who never plays."""
GUILDS = (1, 2)
DIRECT = Place(None, 31)
PLACES = (Place(1, 11), Place(1, 12), Place(2, 21), DIRECT)
CLOCKS = ("none", "none", "24h", "1m", "10m+5s", "2d+6h up to 3d")
SPANS = tuple(timedelta(seconds=seconds) for seconds in (1, 20, 61, 600, 3600, 86400))
NOWHERE = 10**6
"""A number that no match, challenge or proposal has."""

numbers = st.integers(0, 60)
"""An index into some things, modulo their number."""
seeds = st.integers(0, 9999)
members, places, games, guilds = map(st.sampled_from, (MEMBERS, PLACES, GAMES, GUILDS))
crowded = st.sampled_from([game for game in GAMES if game.seats[1] > 2])
"""Games that wait for one more when two are in."""
clocks, spans, orders = st.sampled_from(CLOCKS), st.sampled_from(SPANS), st.sampled_from(Order)
groups = st.permutations(MEMBERS)


def terms(
    game: Game[Any, Any],
    more: int,
    seats: int,
    order: Order,
    clock: str,
    *,
    fewer: int = 0,
    two: bool = False,
) -> Terms:
    """A board on which games end soon: the smallest, or a little more. `fewer` than `seats` may be enough.

    Two players play `two` games with swapped seats.
    """
    low, high = game.seats
    most = max(low, min(seats, high))
    options = {option.key: min(option.low + more, option.high) for option in game.options}
    setup = game.check(options, most)
    number = 2 if two and most == 2 else 1
    clocks = read_time_control(clock)
    return Terms(
        game.key, tuple(setup.items()), max(low, most - fewer), most, order, time_control=clocks, games=number
    )
