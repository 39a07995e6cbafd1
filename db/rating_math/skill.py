"""Skills after a match: openskill's Plackett-Luce model, and the share of its change that counts."""

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from itertools import combinations

from openskill.models import PlackettLuce

from db.values.places import DiscordId
from db.values.standings import Skill

DAY = timedelta(days=1)
"""The time for which a game between two members counts for the weight of their next one in the same game."""
FULL = 3
"""The number of games within a day that count in full."""
TIRED = 6
"""The number of earlier games within a day after which another one has no weight."""

_model = PlackettLuce()


def rate(skills: Sequence[Skill], ranks: Sequence[int], weight: float = 1.0) -> list[Skill]:
    """Return the skills after a match with these ranks (1 is the best, equal for shared ranks), in the same order.

    `weight` is the share, from 0 to 1, of openskill's change.
    """
    teams = [[_model.rating(skill.mu, skill.sigma)] for skill in skills]
    answer = [
        Skill(team[0].mu, team[0].sigma) for team in _model.rate(teams, ranks=[float(it) for it in ranks])
    ]
    if weight == 1.0:
        return answer
    return [_between(before, after, weight) for before, after in zip(skills, answer, strict=True)]


def weight(users: Collection[DiscordId], earlier: Iterable[Collection[DiscordId]]) -> float:
    """Return the weight of a match between `users` after `earlier` ones of the same game within a day, each given by
    its players.

    It depends on the pair that has met most often: 1 for three games, then 1/2, 1/4, 1/8, then 0.
    """
    meetings = [set(players) for players in earlier]
    met = max(
        (sum(pair <= players for players in meetings) for pair in map(set, combinations(users, 2))), default=0
    )
    return 0.5 ** max(0, met + 1 - FULL) if met < TIRED else 0.0


def _between(before: Skill, after: Skill, weight: float) -> Skill:
    return Skill(
        before.mu + weight * (after.mu - before.mu), before.sigma + weight * (after.sigma - before.sigma)
    )
