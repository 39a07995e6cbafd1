"""The posts of the puzzle of the day in the database."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, case, delete, exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.places import DiscordId
from db.api.puzzle_posts import PuzzlePost
from db.models import OPEN_POSTS, PUZZLES, MomentPostRow, PuzzlePostRow, ServerRow
from db.stores.base import StorePart, inserting


async def keep_post(
    session: AsyncSession, row: type[PuzzlePostRow] | type[MomentPostRow], post: PuzzlePost, **counts: int
) -> None:
    """Store a post again or for the first time, with `counts` for the columns that its table has beside the usual ones.

    Of two that settle a post at once, the first says where it is. Of `counts`, a True stays.
    """
    made = inserting(session, row).values(
        guild_id=post.guild,
        day=post.day,
        channel=post.channel,
        message=post.message,
        tried_at=post.tried_at,
        settled=post.settled,
        **counts,
    )
    given = made.excluded
    changes = {
        "channel": case((row.settled, row.channel), else_=given.channel),
        "message": case((row.settled, row.message), else_=given.message),
        "tried_at": given.tried_at,
        "settled": row.settled | given.settled,
        **{name: _newer(getattr(row, name), given[name], value) for name, value in counts.items()},
    }
    await session.execute(made.on_conflict_do_update(index_elements=["guild_id", "day"], set_=changes))


def _newer(stored: ColumnElement[Any], given: ColumnElement[Any], value: int) -> ColumnElement[Any]:
    return stored | given if isinstance(value, bool) else given


class PuzzlePostPart(StorePart):
    """The queries of db.api.puzzle_posts."""

    async def puzzle_posts_due(self, day: date, hour: int) -> Sequence[DiscordId]:
        of_day = (PuzzlePostRow.guild_id == ServerRow.guild_id) & (PuzzlePostRow.day == day)
        settled = exists().where(of_day, PuzzlePostRow.settled)
        query = (
            select(ServerRow.guild_id)
            .where(PUZZLES, ServerRow.puzzle_hour <= hour, ~settled, self._served(ServerRow.guild_id))
            .order_by(ServerRow.guild_id)
        )
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def puzzle_post(self, guild: DiscordId, day: date) -> PuzzlePost | None:
        async with self._sessions.read() as session:
            row = await session.get(PuzzlePostRow, (guild, day))
        return None if row is None else row.value()

    async def open_puzzle_posts(self) -> Sequence[PuzzlePost]:
        query = select(PuzzlePostRow).where(OPEN_POSTS, self._served(PuzzlePostRow.guild_id))
        query = query.order_by(PuzzlePostRow.day, PuzzlePostRow.guild_id)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def keep_puzzle_post(self, post: PuzzlePost) -> None:
        async with self._sessions.write() as session:
            await keep_post(
                session, PuzzlePostRow, post, tried=post.tried, solved=post.solved, closed=post.closed
            )

    async def forget_puzzle_posts(self, before: date) -> None:
        async with self._sessions.write() as session:
            await session.execute(delete(PuzzlePostRow).where(PuzzlePostRow.day < before))
