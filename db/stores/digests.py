"""The daily messages to members."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, select, update

from db.models import DigestRow, MemberRow
from db.stores.base import StorePart, add_members, upsert
from db.stores.posts import queue_messages
from db.values.members import Digest, Notice
from db.values.places import DiscordId
from db.values.posts import News


class DigestStore(StorePart):
    """The daily messages to members whose notice is DIGEST."""

    async def get(self, user: DiscordId) -> Digest | None:
        """Return the daily message of a member, also if their notice is another now, or None."""
        row = await self._get(DigestRow, user)
        return None if row is None else row.value()

    async def keep(self, digest: Digest) -> None:
        """Store the daily message of a member."""
        values = asdict(digest)
        user = values.pop("user")
        async with self._sessions.write() as session:
            await add_members(session, [user])
            await upsert(session, DigestRow, {"user_id": user}, values)

    async def due(self, at: datetime, limit: int) -> Sequence[Digest]:
        """Return at most `limit` daily messages that are due, the longest due first."""
        query = (
            select(DigestRow)
            .join(MemberRow, MemberRow.user_id == DigestRow.user_id)
            .where(DigestRow.due_at <= at, MemberRow.notice == Notice.DIGEST)
            .order_by(DigestRow.due_at, DigestRow.user_id)
            .limit(limit)
        )
        return [row.value() for row in await self._scalars(query)]

    async def queue(self, due: Digest, after: Digest, news: News, at: datetime) -> None:
        """Queue a message that is due, and store when the next one is, unless another process has done so."""
        row = DigestRow
        same = row.user_id == due.user, row.due_at == due.due_at
        changing = update(row).where(*same).values(due_at=after.due_at, since=after.since, until=after.until)

        def queue(connection: Connection) -> None:
            if connection.execute(changing.returning(row.user_id)).first() is not None:
                queue_messages(connection, [due.user], None, news, at)

        await self._sessions.write_at_once(queue)
