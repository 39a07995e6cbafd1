"""The queue of direct messages in the database."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, UpdateBase, delete, select, update

from db.models import DirectMessageRow
from db.stores.base import StorePart, inserting
from db.values.places import DiscordId
from db.values.posts import News, QueuedMessage


class DirectMessageStore(StorePart):
    """The queue of direct messages. A message stays in the queue until it was sent or is no longer needed."""

    async def queue(
        self, users: Collection[DiscordId], guild: DiscordId | None, news: News, at: datetime
    ) -> None:
        """Queue a message to each of `users`, due at `at`. A message that is queued already stays as it is."""
        rows = [{"user_id": user, "guild": guild, "due_at": at, **asdict(news)} for user in users]
        if not rows:
            return

        def queue(connection: Connection) -> None:
            connection.execute(inserting(connection, DirectMessageRow).values(rows).on_conflict_do_nothing())

        await self._sessions.write_at_once(queue)

    async def due(self, at: datetime, limit: int, without: Collection[int] = ()) -> Sequence[QueuedMessage]:
        """Return messages of the served servers that are due, ordered by due time; at most `limit`."""
        row = DirectMessageRow
        query = (
            select(row)
            .where(row.due_at <= at, row.id.not_in(list(without)), self._served(row.guild))
            .order_by(row.due_at, row.id)
            .limit(limit)
        )
        async with self._sessions.read() as session:
            return [it.value() for it in await session.scalars(query)]

    async def postpone(self, message: int, until: datetime) -> None:
        """Let a message be due later."""
        await self._change(
            update(DirectMessageRow).where(DirectMessageRow.id == message).values(due_at=until)
        )

    async def forget(self, message: int) -> None:
        """Delete a message from the queue."""
        await self._change(delete(DirectMessageRow).where(DirectMessageRow.id == message))

    async def _change(self, statement: UpdateBase) -> None:
        await self._sessions.write_at_once(lambda it: it.execute(statement))
