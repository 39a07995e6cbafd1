"""The terms of a game, read from a member's choices, and the games that favour the first player."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.app.clocks.arithmetic import live
from bot.app.errors import Refused
from db.values.challenges import ANY_GAME, Order, Terms
from db.values.clocks import TimeControl
from db.values.matches import USUAL_OPTIONS, MatchOptions
from rules.core.sizes import read_size
from rules.games import find

Options = Mapping[str, int]

_SKULL_LOST = ((1, 2), (1, 4), (1, 6), (1, 8), (2, 4), (2, 7))
"""The boards of the Amazon Skull Game that the second player wins, shorter side first."""

PROVED: Mapping[str, tuple[Options, ...]] = {
    "skull": tuple(
        {"width": width, "height": height}
        for width in range(1, 10)
        for height in range(1, 10)
        if (min(width, height), max(width, height)) not in _SKULL_LOST
    ),
    "xlines": tuple({"size": size} for size in (3, 5, 6, 7, 8)),
}
"""By key of the game: the sizes that the first player wins with best play; see docs/solved.md."""

FAVOURED = frozenset({"polygons"})
"""The keys of games that the first player nearly always wins between strong players."""


def first_player_sentence(game: str, options: Options) -> str | None:
    """Return a sentence about the advantage of the first player at this size, or None if none is known."""
    if dict(options) in [dict(size) for size in PROVED.get(game, ())]:
        return "The first player wins with best play at this size."
    if game in FAVOURED and options.get("dots") != 2:  # with two dots each the second player wins
        return "Between strong players, the first player nearly always wins."
    return None


TWO_GAMES = "Two games with swapped seats are for two players; with more, play one game after the other."

SITTING = timedelta(minutes=30)
"""The longest that a challenge to a live match stays open: the challenger must still be present."""


@dataclass(frozen=True, slots=True)
class NamedTerms:
    """The terms of a game as a member names them. `size` and `clock` are unread text, "" for the usual ones.

    `game` may be ANY_GAME.
    """

    game: str
    size: str = ""
    order: Order = Order.LOT
    clock: str = ""
    options: MatchOptions | None = None
    """The other options; its time control does not count. None means one game, which is rated if it has a clock."""

    @property
    def games(self) -> int:
        """Return the number of games."""
        return 1 if self.options is None else self.options.games

    def read(self, fewest: int, most: int, time_control: TimeControl | None) -> Terms:
        """Return the terms for so many players; `time_control` is what `clock` means. Raises as `terms_of` does."""
        chosen = self.options or MatchOptions(rated=time_control is not None)
        options = replace(chosen, time_control=time_control)
        return terms_of(self.game, self.size, fewest, most, self.order, options)


def open_for(terms: Terms, usual: timedelta) -> timedelta:
    """Return how long a challenge on these terms stays open."""
    return min(usual, SITTING) if live(terms.time_control) else usual


def terms_of(
    game: str,
    size: str,
    fewest: int,
    most: int,
    order: Order = Order.LOT,
    options: MatchOptions = USUAL_OPTIONS,
) -> Terms:
    """Return the terms for `fewest` to `most` players on a board of `size` (a name, numbers, or options by name).

    Raises BadSetup, also for a number of players that the game is not for, and Refused if more than two are to play
    two games with swapped seats.
    """
    if options.games > 1 and most > 2:
        raise Refused(TWO_GAMES)
    if game == ANY_GAME:
        if size.strip() not in ("", "standard"):
            raise Refused(
                "Choose a game for this size, or leave the size out: an open choice has standard sizes."
            )
        if (fewest, most) != (2, 2):
            raise Refused(
                "The choice of the game can be left open to one opponent; with more players, choose it."
            )
        return Terms(ANY_GAME, (), fewest, most, order, **options.by_name())
    found = find(game)
    board = read_size(found, size)
    for players in (fewest, most):
        found.check(board, players)
    return Terms(game, tuple(board.items()), fewest, most, order, **options.by_name())


def with_game(terms: Terms, game: str) -> Terms:
    """Return the terms of an open challenge once the game is chosen, on its standard size. Raises BadSetup."""
    found = find(game)
    options = found.check(found.sizes["standard"], terms.most)
    return replace(terms, game=game, options=tuple(options.items()))
