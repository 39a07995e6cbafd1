"""The level of a computer player that suits a member."""

from db.rating_math import calibrated
from db.store import Store
from db.values.members import LEVELS, computer_player, level_of
from db.values.places import DiscordId
from db.values.standings import Skill


async def suggested_level(store: Store, user: DiscordId, game: str) -> int:
    """Return the level against which `user` should win about half of their games, by their rating in a game.

    Without a rating it is the level that they played last, by default the lowest. Scores are compared, which grow
    with the certainty of a rating, so that newcomers begin with the lowest levels.
    """
    own = await store.ratings.skill(user, game)
    suited = None if own is None else suited_level(own, game)
    return suited or await _last_level(store, user, game) or LEVELS[0]


def suited_level(own: Skill, game: str) -> int | None:
    """Return the level whose score is the nearest to that of a skill; None if the levels are not rated in the game."""
    skills = {level: calibrated(computer_player(level), game) for level in LEVELS}
    known = {level: skill.score for level, skill in skills.items() if skill is not None}
    return min(known, key=lambda level: abs(known[level] - own.score), default=None)


async def _last_level(store: Store, user: DiscordId, game: str) -> int | None:
    """Return the level that `user` played last in a game, or None."""
    last = await store.history.last_computer(user, game)
    return None if last is None else level_of(last[0])
