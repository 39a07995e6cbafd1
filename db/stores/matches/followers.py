"""Members who follow the matches of others."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, func, select

from db.models import RUNNING, FollowerRow, MatchRow
from db.stores.base import StorePart, add_members, run_at_once, upsert
from db.stores.matches.rows import read_matches
from db.stores.posts import queue_messages
from db.values.matches import StoredMatch
from db.values.places import DiscordId
from db.values.posts import FOLLOWED_END, FOLLOWED_MOVES, News, Occasion


class FollowerStore(StorePart):
    """The members who are told how the matches of others go on."""

    async def follow(self, match: int, user: DiscordId, *, moves: bool) -> bool:
        """Let a member follow a match, with `moves` also its moves. Return False if it is over."""
        running = select(MatchRow.id).where(MatchRow.id == match, RUNNING).with_for_update(read=True)
        async with self._sessions.write() as session:
            if await session.scalar(running) is None:
                return False
            await add_members(session, [user])
            await upsert(session, FollowerRow, {"match_id": match, "user_id": user}, {"moves": moves})
        return True

    async def stop(self, match: int, user: DiscordId) -> bool:
        """Let a member no longer follow a match. Return False if they did not."""
        theirs = delete(FollowerRow).where(FollowerRow.match_id == match, FollowerRow.user_id == user)
        async with self._sessions.write() as session:
            return (await session.execute(theirs.returning(FollowerRow.user_id))).first() is not None

    async def forget(self, match: int) -> None:
        """Let nobody follow a match any more."""
        await self._write(delete(FollowerRow).where(FollowerRow.match_id == match))

    async def wants_moves(self, match: int, user: DiscordId) -> bool | None:
        """Return True if a member follows the moves of a match, False if only its end, and None if not at all."""
        theirs = FollowerRow.match_id == match, FollowerRow.user_id == user
        return await self._scalar(select(FollowerRow.moves).where(*theirs))

    async def count(self, user: DiscordId) -> int:
        """Return the number of matches that a member follows."""
        return await self._scalar(select(func.count()).where(FollowerRow.user_id == user)) or 0

    async def matches(self, user: DiscordId) -> list[StoredMatch]:
        """Return the matches that a member follows, by id."""
        theirs = (
            select(FollowerRow.match_id).where(FollowerRow.user_id == user).order_by(FollowerRow.match_id)
        )
        async with self._sessions.read() as session:
            found: Sequence[int] = (await session.scalars(theirs)).all()
            return await run_at_once(session, lambda it: read_matches(it, found))

    async def tell_moves(self, match: int, guild: DiscordId | None, due_at: datetime) -> None:
        """Queue a direct message to all who follow the moves of a match, unless one is queued already."""
        theirs = select(FollowerRow.user_id).where(FollowerRow.match_id == match, FollowerRow.moves)
        news = News(Occasion.FOLLOWED, match, FOLLOWED_MOVES)

        def tell(connection: Connection) -> None:
            queue_messages(connection, connection.scalars(theirs).all(), guild, news, due_at)

        await self._sessions.write_at_once(tell)

    async def tell_end(self, match: int, guild: DiscordId | None, due_at: datetime) -> None:
        """Queue a direct message to all who follow a match that is over. They follow it no longer."""
        gone = delete(FollowerRow).where(FollowerRow.match_id == match).returning(FollowerRow.user_id)
        news = News(Occasion.FOLLOWED, match, FOLLOWED_END)

        def tell(connection: Connection) -> None:
            queue_messages(connection, connection.scalars(gone).all(), guild, news, due_at)

        await self._sessions.write_at_once(tell)
