"""Changes in a restored database, made because members have seen what was played after the backup."""

from datetime import datetime
from typing import Any

from sqlalchemy import case, func, null, select, text, update
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from db.models import RUNNING, AliveRow, ChallengeRow, MatchRow, ProposalRow

NUMBERED: tuple[tuple[str, InstrumentedAttribute[int], InstrumentedAttribute[datetime]], ...] = (
    ("matches", MatchRow.id, MatchRow.started_at),
    ("challenges", ChallengeRow.id, ChallengeRow.made_at),
    ("proposals", ProposalRow.id, ProposalRow.made_at),
)
"""The tables whose ids are in the custom ids of buttons, and when a row was made."""

SPARE = 1000
"""The fewest ids that are left out."""


async def prepare(engine: AsyncEngine, now: datetime) -> None:
    """Prepare a restored database so that a bot can go on with it, in one transaction.

    - Ids that were given after the backup are not given again: their buttons are still in Discord.
    - All running matches count as not shown: the bot posts their boards again, below those that show lost moves.
    """
    async with AsyncSession(engine) as session, session.begin():
        written = await session.scalar(select(func.max(AliveRow.at))) or now
        for table, number, made in NUMBERED:
            lost = written - (now - written)
            since = await session.scalar(select(func.count()).select_from(number.class_).where(made > lost))
            last = await session.scalar(select(func.max(number))) or 0
            await _leave_out(session, table, last, SPARE + 3 * (since or 0))
        shown = MatchRow.panel_plies >= MatchRow.plies
        # The board before is shrunk when the next is posted. That of a match without moves has nothing to shrink to.
        moved = MatchRow.plies > 0
        kept: dict[str, Any] = {
            name: case((moved, getattr(MatchRow, name)), else_=null())
            for name in ("panel_channel", "panel_message")
        }
        unshown = update(MatchRow).where(RUNNING, shown)
        await session.execute(
            unshown.values(panel_plies=case((moved, MatchRow.plies - 1), else_=null()), **kept)
        )


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
