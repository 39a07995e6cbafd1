"""Changes in a restored database that are needed because members have seen what was played after the backup."""

from datetime import datetime

from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from db.models import (
    PENDING,
    RUNNING,
    UNFINISHED,
    AliveRow,
    ChallengeRow,
    EventRow,
    MatchRow,
    PostRow,
    ProposalRow,
)
from db.values.posts import BOARDS, Companion, PostKind

NUMBERED: tuple[tuple[str, InstrumentedAttribute[int], InstrumentedAttribute[datetime]], ...] = (
    ("matches", MatchRow.id, MatchRow.started_at),
    ("challenges", ChallengeRow.id, ChallengeRow.made_at),
    ("events", EventRow.id, EventRow.made_at),
    ("proposals", ProposalRow.id, ProposalRow.made_at),
    ("posts", PostRow.id, PostRow.due_at),
)
"""The tables whose ids are in messages, and when a row was made."""

SPARE = 1000
"""The fewest ids that are left out."""


async def prepare(engine: AsyncEngine, now: datetime) -> None:
    """Prepare a restored database so that a bot can go on with it, in one transaction.

    - Ids that were given after the backup are not given again: their buttons are still in Discord.
    - The boards of all running matches are posted again, below those that show lost moves.
    - The messages of all events that are not over are shown again, since they may show lost results.
    """
    async with AsyncSession(engine) as session, session.begin():
        written = await session.scalar(select(func.max(AliveRow.at))) or now
        for table, number, made in NUMBERED:
            lost = written - (now - written)
            since = await session.scalar(select(func.count()).select_from(number.class_).where(made > lost))
            last = await session.scalar(select(func.max(number))) or 0
            await _leave_out(session, table, last, SPARE + 3 * (since or 0))
        boards = (
            select(PostRow, MatchRow.plies)
            .join(MatchRow, MatchRow.id == PostRow.subject)
            .where(PostRow.kind.in_(BOARDS), RUNNING, ~PENDING)
        )
        for board, plies in (await session.execute(boards)).all():
            if board.message is not None:
                board.companions = (*board.companions, Companion(board.channel, board.message))
            board.message, board.progress, board.pinned = None, max(0, plies - 1), False
            board.version += 1
        unfinished = (
            PostRow.kind == PostKind.EVENT,
            PostRow.subject.in_(select(EventRow.id).where(UNFINISHED)),
        )
        await session.execute(update(PostRow).where(*unfinished).values(version=PostRow.version + 1))


async def _leave_out(session: AsyncSession, table: str, last: int, ids: int) -> None:
    """Let the next row of a table have an id that is higher by so many."""
    if session.get_bind().dialect.name == "postgresql":
        query = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), greatest(:last, 1) + :ids)")
        await session.execute(query, {"name": table, "last": last, "ids": ids})
        return
    (before,) = (
        await session.execute(
            text("SELECT max(seq) FROM sqlite_sequence WHERE name = :name"), {"name": table}
        )
    ).one()
    await session.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table})
    await session.execute(
        text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)"),
        {"name": table, "seq": max(last, before or 0) + ids},
    )
