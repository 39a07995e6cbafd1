"""The posts of the puzzle of the day in the database."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import (
    ColumnElement,
    case,
    delete,
    exists,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from db.api.places import DiscordId
from db.api.puzzle_posts import PuzzlePost
from db.models import OPEN_POSTS, PUZZLES, MomentPostRow, PuzzlePostRow, ServerRow
from db.stores.base import StorePart, inserting


def settling(
    row: type[PuzzlePostRow] | type[MomentPostRow], made: postgresql.Insert | sqlite.Insert
) -> dict[str, ColumnElement[Any]]:
    """Return what changes in the row of a post when it is stored again.

    Of two that settle a post at once, the first says where it is.
    """
    given = made.excluded
    return {
        "channel": case((row.settled, row.channel), else_=given.channel),
        "message": case((row.settled, row.message), else_=given.message),
        "tried_at": given.tried_at,
        "settled": row.settled | given.settled,
    }


class PuzzlePostPart(StorePart):
    """The queries of db.api.puzzle_posts."""

    async def puzzle_posts_due(self, day: date, hour: int) -> Sequence[DiscordId]:
        of_day = (PuzzlePostRow.guild_id == ServerRow.guild_id) & (PuzzlePostRow.day == day)
        settled = exists().where(of_day, PuzzlePostRow.settled)
        query = (
            select(ServerRow.guild_id)
            .where(PUZZLES, ServerRow.puzzle_hour <= hour, ~settled)
            .order_by(ServerRow.guild_id)
        )
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def puzzle_post(self, guild: DiscordId, day: date) -> PuzzlePost | None:
        async with self._sessions.read() as session:
            row = await session.get(PuzzlePostRow, (guild, day))
        return None if row is None else row.value()

    async def open_puzzle_posts(self) -> Sequence[PuzzlePost]:
        query = select(PuzzlePostRow).where(OPEN_POSTS).order_by(PuzzlePostRow.day, PuzzlePostRow.guild_id)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def keep_puzzle_post(self, post: PuzzlePost) -> None:
        async with self._sessions.write() as session:
            made = inserting(session, PuzzlePostRow).values(
                guild_id=post.guild,
                day=post.day,
                channel=post.channel,
                message=post.message,
                tried_at=post.tried_at,
                settled=post.settled,
                tried=post.tried,
                solved=post.solved,
                closed=post.closed,
            )
            given = made.excluded
            changes = {
                **settling(PuzzlePostRow, made),
                "tried": given.tried,
                "solved": given.solved,
                "closed": PuzzlePostRow.closed | given.closed,
            }
            await session.execute(
                made.on_conflict_do_update(index_elements=["guild_id", "day"], set_=changes)
            )

    async def forget_puzzle_posts(self, before: date) -> None:
        async with self._sessions.write() as session:
            await session.execute(delete(PuzzlePostRow).where(PuzzlePostRow.day < before))
