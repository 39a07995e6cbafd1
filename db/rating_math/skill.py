"""One result, many skills: openskill's Plackett-Luce model, and how much of its answer counts."""

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from itertools import combinations

from openskill.models import PlackettLuce

from db.api.places import DiscordId
from db.api.ratings import Skill

DAY = timedelta(days=1)
"""How long a game between the same two makes the next one count less."""
TIRED = 4
"""So many earlier games within a day, and another one changes nothing."""

_model = PlackettLuce()


def rate(skills: Sequence[Skill], ranks: Sequence[int], weight: float = 1.0) -> list[Skill]:
    """The skills after a match that ended with these places (1 is the best, equal ones are shared), in the same order.

    `weight` is the share, from 0 to 1, of the way that the match moves them.
    """
    teams = [[_model.rating(skill.mu, skill.sigma)] for skill in skills]
    answer = [
        Skill(team[0].mu, team[0].sigma) for team in _model.rate(teams, ranks=[float(it) for it in ranks])
    ]
    if weight == 1.0:
        return answer
    return [_between(before, after, weight) for before, after in zip(skills, answer, strict=True)]


def weight(users: Collection[DiscordId], earlier: Iterable[Collection[DiscordId]]) -> float:
    """How much a match between `users` counts after `earlier` ones within a day, each given by its players.

    The pair that has met most often decides: 1, 1/2, 1/4, 1/8, then nothing.
    """
    tables = [set(table) for table in earlier]
    met = max(
        (sum(pair <= table for table in tables) for pair in map(set, combinations(users, 2))), default=0
    )
    return 0.5**met if met < TIRED else 0.0


def _between(before: Skill, after: Skill, weight: float) -> Skill:
    return Skill(
        before.mu + weight * (after.mu - before.mu), before.sigma + weight * (after.sigma - before.sigma)
    )
