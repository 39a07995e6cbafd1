"""Messages in the database that are to be changed or deleted once they no longer hold."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, or_, select

from db.api.matches.passing_messages import PassingMessage
from db.api.places import DiscordId
from db.models import FINISHED, MatchRow, PassingMessageRow
from db.stores.base import StorePart, upserting


class PassingMessagePart(StorePart):
    """The queries of db.api.matches.passing_messages."""

    async def add_messages(self, messages: Sequence[PassingMessage]) -> None:
        if messages:
            await self._sessions.write_at_once(lambda it: store_messages(it, messages))

    async def passing_messages(self, match: int) -> Sequence[PassingMessage]:
        theirs = select(PassingMessageRow).where(PassingMessageRow.match_id == match)
        async with self._sessions.read() as session:
            found = await session.scalars(theirs.order_by(PassingMessageRow.message))
            return [row.value() for row in found]

    async def passed(self) -> Sequence[int]:
        call_before = PassingMessageRow.plies < MatchRow.panel_plies
        query = (
            select(PassingMessageRow.match_id)
            .join(MatchRow, MatchRow.id == PassingMessageRow.match_id)
            .where(or_(PassingMessageRow.seat.is_(None), call_before, FINISHED), self._served(MatchRow.guild))
            .order_by(PassingMessageRow.match_id)
            .distinct()
        )
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def forget_messages(self, messages: Iterable[DiscordId]) -> None:
        async with self._sessions.write() as session:
            await session.execute(
                delete(PassingMessageRow).where(PassingMessageRow.message.in_(list(messages)))
            )


def store_messages(connection: Connection, messages: Iterable[PassingMessage]) -> None:
    """Store messages; one that is stored already is replaced."""
    for one in messages:
        values = {
            "channel": one.channel,
            "match_id": one.match,
            "plies": one.plies,
            "until": one.until,
            "seat": one.seat,
        }
        key = {"message": one.message}
        connection.execute(upserting(connection, PassingMessageRow, key, values))
