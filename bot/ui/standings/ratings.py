"""The line about the ratings that a result has changed, or the reason why it changed them less or not at all."""

from collections.abc import Sequence

from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.results import FEWEST
from bot.app.mentions import mention
from bot.app.standings import Unrated, unrated
from bot.ui.components.wording import score
from db.values.members import is_computer
from db.values.places import former
from db.values.standings import NEWCOMER, Change

WHY = {
    Unrated.CASUAL: "A casual game: ratings do not change.",
    Unrated.FIRST: "The two games are rated as one, when the second ends.",
    Unrated.ALONE: "Ratings do not change: the first of the two games has no result.",
    Unrated.SHORT_TWO: (
        f"Too short to count for ratings: in one of the two games both players must make at least {FEWEST} moves."
    ),
    Unrated.SHORT: f"Too short to count for ratings: every player must make at least {FEWEST} moves.",
}

SHARES = {0.5: ("fourth", "half"), 0.25: ("fifth", "a quarter"), 0.125: ("sixth", "an eighth")}
"""By the weight of a match: its number among those of the same two members in one game in 24 hours, and the weight."""


def rating_lines(loaded: LoadedMatch, changes: Sequence[Change]) -> list[str]:
    """Return a line about the ratings that a match has changed, or why it changed none; empty if no reason is known.

    A second line explains the question mark if it was the first rated game of a player.
    """
    if not changes:
        why = unrated(loaded)
        return [] if why is None else [f"-# {WHY[why]}"]
    known = [change for change in changes if not former(change.user) and not is_computer(change.user)]
    moved = [
        f"{mention(change.user)} {score(change.after)} ({change.after.score - change.before.score:+})".replace(
            "-", "−"
        )
        for change in known
    ]
    lines = [f"-# Rating: {' · '.join(moved)}{_reduced(loaded, changes)}"] if moved else []
    if any(change.before == NEWCOMER and change.after.provisional for change in known):
        lines.append('-# "?": few rated games so far. The rating starts low and can still change a lot.')
    return lines


def _reduced(loaded: LoadedMatch, changes: Sequence[Change]) -> str:
    """Return the reason why a match counts less, or "". In larger games, the pair that met most often decides."""
    weight, title = changes[0].weight, loaded.match.game.sheet.title
    pair = "the same two players" if len(changes) == 2 else "two of the players"
    if weight == 0:
        return (
            f". This game changes no ratings: {pair} had finished six rated games of {title}"
            " in the 24 hours before."
        )
    if weight not in SHARES:
        return ""
    number, share = SHARES[weight]
    return f". The {number} game of {title} that {pair} finished within 24 hours counts {share}."
