"""The mathematics of ratings: pure functions, and the only code that uses openskill."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations, product

from openskill.models import PlackettLuce

from db.values.matches import Outcome
from db.values.members import is_computer, level_of
from db.values.places import DiscordId
from db.values.standings import ALWAYS, CERTAIN, EVERYWHERE, NEWCOMER, TOGETHER, HeldSkill, Leaderboard, Skill
from rules.players.levels import score

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
    """Return the weight of a match between `users`.

    `earlier` are the matches of the same game within a day, each given by its players.
    The weight depends on the pair that has met most often: 1 for three games, then 1/2, 1/4, 1/8, then 0.
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
    """Return True if a match changes this row: computer players are not ranked in all games together."""
    return leaderboard.game != TOGETHER or not is_computer(user)


def week_of(at: datetime) -> int:
    """Return the ISO year times 100 plus the ISO week of a time in UTC."""
    year, week, _ = at.isocalendar()
    return year * 100 + week


def periods_of(at: datetime) -> tuple[str, str, str]:
    """Return the periods that contain a time in UTC: all time, the month (a season) and the ISO week."""
    year, week, _ = at.isocalendar()
    return ALWAYS, f"{at.year:04}-{at.month:02}", f"{year:04}-W{week:02}"


def expired(period: str, at: datetime) -> bool:
    """Return True if leaderboards of this period are no longer shown at `at`.

    Shown are those of this and the last month, of this and the last week, and of all time.
    """
    if period == ALWAYS:
        return False
    _, month, _ = periods_of(at.replace(day=1) - timedelta(days=1))
    _, _, week = periods_of(at - timedelta(weeks=1))
    return period < (week if "W" in period else month)


def leaderboards_of(
    game: str, guild: DiscordId | None, at: datetime, *, everywhere: bool = True
) -> tuple[Leaderboard, ...]:
    """Return the leaderboards on which a match counts that ends at `at`: the global ones, then those of its server.

    Matches in direct messages count in no server. Without `everywhere` a match does not count on global leaderboards.
    """
    guilds = (*((EVERYWHERE,) if everywhere else ()), *(() if guild is None else (guild,)))
    return tuple(
        Leaderboard(period, of, where)
        for where, period, of in product(guilds, periods_of(at), (TOGETHER, game))
    )


def held_after(
    leaderboards: Sequence[Leaderboard],
    before: Sequence[Sequence[HeldSkill]],
    ranks: Sequence[int],
    weight: float,
    at: datetime,
    users: Sequence[DiscordId],
) -> list[tuple[HeldSkill, ...]]:
    """Return the skills of `users` after a match; `before` and the result are by seat, then by leaderboard.

    Those of computer players stay as they are.
    """
    columns: list[list[HeldSkill]] = []
    for number, leaderboard in enumerate(leaderboards):
        held = [seat[number] for seat in before]
        skills = rate([it.skill for it in held], ranks, weight)
        week = week_of(at) if leaderboard.period == ALWAYS else 0
        columns.append(
            [
                moved(it, it.skill if is_computer(user) else skill, week)
                for user, it, skill in zip(users, held, skills, strict=True)
            ]
        )
    return list(zip(*columns, strict=True)) if columns else [() for _ in before]


def moved(held: HeldSkill, skill: Skill, week: int) -> HeldSkill:
    """Return what a player holds after a match in `week` that gave them `skill`; `week` is 0 except for all time."""
    if week > held.week:
        return HeldSkill(skill, week, held.skill.score if held.week else None)
    return HeldSkill(skill, held.week, held.was)


def outcomes_of(ranks: Sequence[int]) -> tuple[Outcome, ...]:
    """Return the outcomes of a match for seats with these ranks."""
    best = Outcome.WON if ranks.count(1) == 1 else Outcome.DRAWN
    return tuple(best if rank == 1 else Outcome.LOST for rank in ranks)


BY_ONLY_MOVES = (-5.0, -1.0, 3.0, 7.0)
"""The distance of a puzzle's first mean above a newcomer's, in openskill's units: with one only move in a row,
two, three, and more."""


def first_skill(only_moves: int) -> Skill:
    """Return the skill of a puzzle that nobody has tried, by its only moves in a row."""
    above = BY_ONLY_MOVES[min(only_moves, len(BY_ONLY_MOVES)) - 1]
    return Skill(NEWCOMER.mu + above, CERTAIN)


def rate_attempt(solver: Skill, puzzle: Skill, *, solved: bool) -> tuple[Skill, Skill]:
    """Return the skills of a solver and of a puzzle after an attempt."""
    ranks = (1, 2) if solved else (2, 1)
    after, its = rate((solver, puzzle), ranks)
    return after, its
