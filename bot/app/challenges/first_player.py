"""The games that favour the first player, so that members may choose two games with swapped seats.

This is the one list of them. A size is `PROVED` if a complete search has shown that the first player wins it with best
play; of a game in `FAVOURED` that is known from play between strong players, at all sizes.
"""

from collections.abc import Mapping

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
    """A sentence about the advantage of the first player at this size, or None if none is known."""
    if dict(options) in [dict(size) for size in PROVED.get(game, ())]:
        return "The first player wins with best play at this size."
    if game in FAVOURED and options.get("dots") != 2:  # with two dots each the second player wins
        return "The first player nearly always wins between strong players."
    return None
