"""Numbers of what a database holds; no names and no ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import and_, case, func, select, union
from sqlalchemy.ext.asyncio import AsyncSession

from db.migrate import revision
from db.models import (
    FINISHED,
    OPEN,
    PENDING,
    RUNNING,
    ChallengeRow,
    MatchRow,
    MemberRow,
    PostRow,
    SeatRow,
    ServerRow,
)
from db.stores.base import database_size
from db.values.members import is_computer
from db.values.posts import PostKind

WEEKS = 8
"""Weeks that are counted one by one, the present one among them."""


@dataclass(frozen=True, slots=True)
class Games:
    """The games of one kind: those that go on, all that are over, and how many were over in each week."""

    running: int
    finished: int
    by_week: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Numbers of what a database holds."""

    kind: str
    revision: str
    bytes: int
    servers: int
    members: int
    open_challenges: int
    waiting_boards: int
    oldest_waiting_board: datetime | None
    """When that was played which no board shows yet."""
    weeks: tuple[str, ...]
    """The ISO weeks of `Games.by_week`, the present one first."""
    games: Mapping[str, Games]
    """By key of the game, in the order of the keys."""


async def count(session: AsyncSession, now: datetime) -> Figures:
    """Count. All numbers are of one moment."""
    connection = await session.connection()
    kind = "PostgreSQL" if connection.dialect.name == "postgresql" else "SQLite"
    users = union(select(SeatRow.user_id), select(MemberRow.user_id)).subquery()
    ids = await session.scalars(select(users.c.user_id).where(users.c.user_id > 0))
    guilds = union(select(MatchRow.guild), select(ServerRow.guild_id)).subquery()
    oldest_due = func.min(PostRow.due_at, type_=PostRow.due_at.type)
    waiting = select(func.count(), oldest_due).where(PENDING, PostRow.kind == PostKind.BOARD)
    boards, oldest = (await session.execute(waiting)).one()
    mondays = _mondays(now)
    found = await connection.run_sync(revision)
    return Figures(
        kind=kind,
        revision=found or "",
        bytes=await database_size(session),
        servers=await session.scalar(select(func.count(guilds.c.guild))) or 0,
        members=sum(not is_computer(user) for user in ids),
        open_challenges=await session.scalar(select(func.count()).select_from(ChallengeRow).where(OPEN)) or 0,
        waiting_boards=boards,
        oldest_waiting_board=oldest,
        weeks=tuple(f"{monday:%G-W%V}" for monday in mondays),
        games=await _games(session, mondays),
    )


def _mondays(now: datetime) -> Sequence[datetime]:
    """Return the beginnings of the last weeks, the present one first."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    monday = today - timedelta(days=today.weekday())
    return [monday - timedelta(weeks=number) for number in range(WEEKS)]


async def _games(session: AsyncSession, mondays: Sequence[datetime]) -> dict[str, Games]:
    weeks = [
        and_(MatchRow.finished_at >= it, MatchRow.finished_at < it + timedelta(weeks=1)) for it in mondays
    ]
    sums = [func.sum(case((condition, 1), else_=0)) for condition in (RUNNING, FINISHED, *weeks)]
    rows = await session.execute(select(MatchRow.game, *sums).group_by(MatchRow.game).order_by(MatchRow.game))
    return {
        game: Games(int(running), int(over), tuple(map(int, by_week)))
        for game, running, over, *by_week in rows
    }
