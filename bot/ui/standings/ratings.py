"""How a result has changed ratings, in words; or why it has not, or by less."""

from collections.abc import Sequence

from bot.app.matches.results import FEWEST
from bot.app.matches.table import Table
from bot.app.mentions import mention
from bot.app.standings.ratings import Unrated, unrated
from db.api.places import former
from db.api.ratings import Change, Skill

WHY = {
    Unrated.CASUAL: "A casual game: ratings stay as they are.",
    Unrated.SHORT: f"Too short to count for ratings: it takes {FEWEST} moves by every player.",
}

SHARES = {0.5: ("second", "half"), 0.25: ("third", "a quarter"), 0.125: ("fourth", "an eighth")}
"""By the share of a game that counts: which game of the day it is between the same two."""


def rating_lines(table: Table, changes: Sequence[Change]) -> list[str]:
    """What a game has done to the ratings of its players, in one line, or none."""
    if not changes:
        why = unrated(table)
        return [] if why is None else [f"-# {WHY[why]}"]
    moved = [
        f"{mention(it.user)} {score(it.after)} ({it.after.score - it.before.score:+})".replace("-", "−")
        for it in changes
        if not former(it.user)
    ]
    return [f"-# Rating: {' · '.join(moved)}{_less(changes)}"] if moved else []


def _less(changes: Sequence[Change]) -> str:
    """Why a game counts less, if it does: of more than two players the pair decides that has met most often."""
    weight = changes[0].weight
    pair = "the same two" if len(changes) == 2 else "two of them"
    if weight == 0:
        return f". It changes nothing: {pair} had finished four rated games within 24 hours before."
    if weight not in SHARES:
        return ""
    number, share = SHARES[weight]
    return f". The {number} game of {pair} within 24 hours: it counts {share}."


def score(skill: Skill) -> str:
    """A score as it is shown; one that is still uncertain has a question mark."""
    return f"{skill.score}{'?' if skill.provisional else ''}"
