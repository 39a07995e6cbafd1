"""Scores of ratings as text."""

from db.api.standings.ratings import Skill


def score(skill: Skill) -> str:
    """Return a score as text; a provisional one has a question mark."""
    return f"{skill.score}{'?' if skill.provisional else ''}"
