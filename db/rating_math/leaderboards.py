"""The leaderboards on which a match counts, and the skills of its players there after it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import product

from db.rating_math.skill import rate
from db.values.matches import Outcome
from db.values.members import is_computer
from db.values.places import DiscordId
from db.values.standings import ALWAYS, EVERYWHERE, TOGETHER, HeldSkill, Leaderboard, Skill


def week_of(at: datetime) -> int:
    """Return the ISO year times 100 plus the ISO week of a time in UTC."""
    year, week, _ = at.isocalendar()
    return year * 100 + week


def periods_of(at: datetime) -> tuple[str, str, str]:
    """Return the periods that contain a time in UTC: all time, the month (a season) and the ISO week."""
    year, week, _ = at.isocalendar()
    return ALWAYS, f"{at.year:04}-{at.month:02}", f"{year:04}-W{week:02}"


def expired(period: str, at: datetime) -> bool:
    """True if leaderboards of this period are no longer shown at `at`.

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
