"""The kinds of matches that members choose from in a challenge, and the wording of the options on its card."""

from collections.abc import Mapping

from db.values.challenges import Terms
from db.values.matches import MatchOptions

USUAL_GAMES = "usual"
"""The value of the option `games` that stands for the default."""

GAMES_OPTION: Mapping[str, tuple[str, MatchOptions | None]] = {
    USUAL_GAMES: ("one game, rated if it has a clock", None),
    "one": ("one rated game", MatchOptions()),
    "casual": ("one casual game, not rated", MatchOptions(rated=False)),
    "two": ("two games with swapped seats, rated as one", MatchOptions(games=2)),
    "two casual": ("two casual games with swapped seats", MatchOptions(games=2, rated=False)),
}
"""By value of the option `games`: what members read, and the options of the match (`NamedTerms.options`)."""


def spell_options(terms: Terms) -> list[str]:
    """Return what the terms of a challenge say about its options; the order is that of the challenge's message."""
    rated = "rated" if terms.rated else "casual, not rated"
    as_one = " as one" if terms.rated and terms.games > 1 else ""
    return [rated + as_one]
