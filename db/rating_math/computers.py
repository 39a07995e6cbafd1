"""The skills of computer players: calibrated for each game and level, and never changed by a match."""

from dataclasses import replace

from db.values.computers import is_computer, level_of
from db.values.places import DiscordId
from db.values.standings.ratings import TOGETHER, HeldSkill, Leaderboard, Skill
from rules.players.levels import score

DEVIATION = 1.0
"""The standard deviation of a calibrated skill: far below that of a provisional rating."""


def calibrated(user: DiscordId, game: str) -> Skill | None:
    """Return the skill of a computer player in a game; None for members, and in games that were not calibrated."""
    level = level_of(user)
    points = None if level is None else score(game, level)
    return None if points is None else Skill(points / 40 - 25 + 3 * DEVIATION, DEVIATION)


def held_in(user: DiscordId, game: str, held: HeldSkill) -> HeldSkill:
    """Return what a player holds before a match of a game: of a computer player the calibrated skill."""
    skill = calibrated(user, game)
    return held if skill is None else replace(held, skill=skill)


def has_rank(user: DiscordId, leaderboard: Leaderboard) -> bool:
    """True if a match changes this row: computer players are ranked in each game, not in all games together."""
    return leaderboard.game != TOGETHER or not is_computer(user)
