"""The queue of direct messages in the database."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, UpdateBase, delete, select, update

from db.api.direct_messages import News, QueuedMessage
from db.api.places import DiscordId
from db.models import DirectMessageRow
from db.stores.base import StorePart, inserting


class DirectMessagePart(StorePart):
    """The queries of db.api.direct_messages."""

    async def queue_direct_messages(
        self, users: Collection[DiscordId], guild: DiscordId | None, news: News, at: datetime
    ) -> None:
        rows = [{"user_id": user, "guild": guild, "due_at": at, **asdict(news)} for user in users]
        if not rows:
            return

        def queue(connection: Connection) -> None:
            connection.execute(inserting(connection, DirectMessageRow).values(rows).on_conflict_do_nothing())

        await self._sessions.write_at_once(queue)

    async def queued_direct_messages(
        self, at: datetime, limit: int, without: Collection[int] = ()
    ) -> Sequence[QueuedMessage]:
        row = DirectMessageRow
        query = (
            select(row)
            .where(row.due_at <= at, row.id.not_in(list(without)), self._served(row.guild))
            .order_by(row.due_at, row.id)
            .limit(limit)
        )
        async with self._sessions.read() as session:
            return [it.value() for it in await session.scalars(query)]

    async def postpone_direct_message(self, message: int, until: datetime) -> None:
        await self._change(
            update(DirectMessageRow).where(DirectMessageRow.id == message).values(due_at=until)
        )

    async def forget_direct_message(self, message: int) -> None:
        await self._change(delete(DirectMessageRow).where(DirectMessageRow.id == message))

    async def _change(self, statement: UpdateBase) -> None:
        await self._sessions.write_at_once(lambda it: it.execute(statement))
