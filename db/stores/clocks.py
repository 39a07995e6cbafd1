"""Clocks in the database: who ran out of time, who is to be reminded, and what is given back."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.clocks import Reminder
from db.models import REMINDED, RUNNING, TICKING, AliveRow, MatchRow, SeatRow
from db.stores.base import Kept

ONLY = 1
"""The id of the only row that says when the host was last there."""


class ClockStore(Kept):
    """The running clocks of all matches."""

    async def alive(self, at: datetime, patience: timedelta) -> Sequence[int]:
        """Say that the host is there at `at`.

        If nobody has said so for longer than `patience`, the time since is given back to all clocks that run; the ids
        of their matches are answered. Of several processes that come back together one gives it back.
        """
        with suppress(IntegrityError):  # another process has just said it for the first time
            async with self._sessions.write() as session:
                row = await session.get(AliveRow, ONLY, with_for_update=True)
                if row is None:
                    session.add(AliveRow(id=ONLY, at=at))
                    return ()
                since, row.at = row.at, max(row.at, at)
                return await _give_back(session, since, at) if at - since > patience else ()
        return ()

    async def out_of_time(self, at: datetime) -> Sequence[int]:
        """The ids of running matches in which the time of a seat is over, the one that ended first in front."""
        query = (
            select(SeatRow.match_id)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(RUNNING, TICKING, SeatRow.deadline <= at)
            .order_by(SeatRow.deadline, SeatRow.match_id)
        )
        async with self._sessions.read() as session:
            return tuple(dict.fromkeys(await session.scalars(query)))

    async def take_reminders(self, at: datetime) -> Sequence[Reminder]:
        """The reminders that are due, each answered once and for all."""
        query = (
            select(SeatRow)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(RUNNING, REMINDED, SeatRow.remind_at <= at, SeatRow.deadline > at)
            .order_by(SeatRow.deadline, SeatRow.match_id)
            .with_for_update(of=SeatRow, skip_locked=True)
        )
        async with self._sessions.write() as session:
            rows = (await session.scalars(query)).all()
            for row in rows:
                row.remind_at = None
        return [Reminder(row.match_id, row.seat, row.deadline) for row in rows if row.deadline is not None]

    async def next_due(self) -> datetime | None:
        """When the next clock comes to its end or its reminder."""
        async with self._sessions.read() as session:
            times = [
                await session.scalar(
                    select(column)
                    .join(MatchRow, MatchRow.id == SeatRow.match_id)
                    .where(RUNNING, condition)
                    .order_by(column)
                    .limit(1)
                )
                for column, condition in ((SeatRow.deadline, TICKING), (SeatRow.remind_at, REMINDED))
            ]
        return min((time for time in times if time is not None), default=None)


async def _give_back(session: AsyncSession, since: datetime, at: datetime) -> Sequence[int]:
    # First the matches, as whoever plays a move does: a move counts with the clocks before or after, never between.
    ticking = select(SeatRow.match_id).where(TICKING)
    locked = (
        select(MatchRow.id).where(RUNNING, MatchRow.id.in_(ticking)).order_by(MatchRow.id).with_for_update()
    )
    matches = (await session.scalars(locked)).all()
    rows = await session.scalars(
        select(SeatRow).where(TICKING, SeatRow.match_id.in_(matches)).with_for_update()
    )
    for row in rows:
        clock = row.clock
        assert clock is not None
        row.clock = clock.given_back(since, at)
    return matches
