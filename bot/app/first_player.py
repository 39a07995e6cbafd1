"""The games that favour the first player, so that members may choose two games with swapped seats.

This is the one list of them. A size is `PROVED` if a complete search has shown that the first player wins it with best
play; of a game in `FAVOURED` that is known from play between strong players, at all sizes.
"""

from collections.abc import Mapping

Options = Mapping[str, int]

PROVED: Mapping[str, tuple[Options, ...]] = {
    "skull": ({"width": 6, "height": 5},),
    "xlines": ({"size": 8},),
}
"""By key of the game: the sizes that the first player wins with best play."""

FAVOURED = frozenset({"polygons"})
"""The keys of games that the first player nearly always wins between strong players."""


def first_player_sentence(game: str, options: Options) -> str | None:
    """A sentence about the advantage of the first player at this size, or None if none is known."""
    if dict(options) in [dict(size) for size in PROVED.get(game, ())]:
        return "The first player wins with best play at this size."
    if game in FAVOURED:
        return "The first player nearly always wins between strong players."
    return None
