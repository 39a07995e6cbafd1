"""How a result has changed ratings, in words."""

from collections.abc import Sequence

from bot.app.names import mention
from db.values import Change, Skill, former


def rating_lines(changes: Sequence[Change]) -> list[str]:
    """What a game has done to the ratings of its players, in one line, or none."""
    moved = [
        f"{mention(it.user)} {score(it.after)} ({it.after.score - it.before.score:+})".replace("-", "−")
        for it in changes
        if not former(it.user)
    ]
    return [f"-# Rating: {' · '.join(moved)}"] if moved else []


def score(skill: Skill) -> str:
    """A score as it is shown; one that is still uncertain has a question mark."""
    return f"{skill.score}{'?' if skill.provisional else ''}"
