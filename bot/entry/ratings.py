"""How a result has changed ratings, in words."""

from collections.abc import Sequence

from bot.app.names import mention
from bot.app.places import FEWEST, counts
from bot.app.table import Table
from db.values import Change, Skill, former


def rating_lines(table: Table, changes: Sequence[Change]) -> list[str]:
    """What a game that is over has done to the ratings of its players, in one line or none."""
    if changes:
        moved = [
            f"{mention(it.user)} {score(it.after)} ({it.after.score - it.before.score:+})".replace("-", "−")
            for it in changes
            if not former(it.user)
        ]
        return [f"-# Rating: {' · '.join(moved)}"] if moved else []
    if table.match.revealed and table.stored.rated and table.stored.void is None and not counts(table.match):
        return [f"-# Not rated: that takes {FEWEST} moves by everybody."]
    return []


def score(skill: Skill) -> str:
    """A score as it is shown; one that is still uncertain has a question mark."""
    return f"{skill.score}{'?' if skill.provisional else ''}"
