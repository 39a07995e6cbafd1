"""On which boards a match counts, and what it makes of what its players hold there."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import product

from db.api.matches import Outcome
from db.api.places import DiscordId
from db.api.ratings import ALWAYS, EVERYWHERE, TOGETHER, Held, Leaderboard, Skill
from db.rating_math.skill import rate


def week_of(at: datetime) -> int:
    """The ISO year times 100 plus the ISO week of a time in UTC."""
    year, week, _ = at.isocalendar()
    return year * 100 + week


def periods_of(at: datetime) -> tuple[str, str, str]:
    """All time, the month (a season) and the ISO week of a time in UTC."""
    year, week, _ = at.isocalendar()
    return ALWAYS, f"{at.year:04}-{at.month:02}", f"{year:04}-W{week:02}"


def bygone(period: str, at: datetime) -> bool:
    """Whether the boards of a period are let go at `at`: kept are those of this month and this week, the last ones, and
    all time. Nothing shows others."""
    if period == ALWAYS:
        return False
    _, month, _ = periods_of(at.replace(day=1) - timedelta(days=1))
    _, _, week = periods_of(at - timedelta(weeks=1))
    return period < (week if "W" in period else month)


def boards_of(
    game: str, guild: DiscordId | None, at: datetime, *, everywhere: bool = True
) -> tuple[Leaderboard, ...]:
    """The boards on which a match counts that ends at `at`: those of all servers first, then those of its own.

    What is played in direct messages counts everywhere, but in no server; and not `everywhere` in its server alone.
    """
    guilds = (*((EVERYWHERE,) if everywhere else ()), *(() if guild is None else (guild,)))
    return tuple(
        Leaderboard(period, of, where)
        for where, period, of in product(guilds, periods_of(at), (TOGETHER, game))
    )


def after(
    boards: Sequence[Leaderboard],
    before: Sequence[Sequence[Held]],
    ranks: Sequence[int],
    weight: float,
    at: datetime,
) -> list[tuple[Held, ...]]:
    """What the players hold on the boards after a match; `before` and the answer are by seat, then by board."""
    columns: list[list[Held]] = []
    for number, board in enumerate(boards):
        held = [seat[number] for seat in before]
        skills = rate([it.skill for it in held], ranks, weight)
        week = week_of(at) if board.period == ALWAYS else 0
        columns.append([_moved(it, skill, week) for it, skill in zip(held, skills, strict=True)])
    return list(zip(*columns, strict=True)) if columns else [() for _ in before]


def _moved(held: Held, skill: Skill, week: int) -> Held:
    if week > held.week:
        return Held(skill, week, held.skill.score if held.week else None)
    return Held(skill, held.week, held.was)


def outcomes_of(ranks: Sequence[int]) -> tuple[Outcome, ...]:
    """How a match ended for each seat that ended with these places."""
    best = Outcome.WON if ranks.count(1) == 1 else Outcome.DRAWN
    return tuple(best if rank == 1 else Outcome.LOST for rank in ranks)
