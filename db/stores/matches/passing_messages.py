"""Messages in the database that are to be changed or deleted once they no longer hold."""

from collections.abc import Iterable, Sequence

from sqlalchemy import delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.matches.matches import Panel
from db.api.matches.passing_messages import PassingMessage
from db.api.places import DiscordId
from db.models import FINISHED, MatchRow, PassingMessageRow
from db.stores.base import StorePart, upsert


class PassingMessagePart(StorePart):
    """The queries of db.api.matches.passing_messages."""

    async def add_calls(self, calls: Sequence[PassingMessage]) -> None:
        async with self._sessions.write() as session:
            await store_messages(session, calls)

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
            .where(or_(PassingMessageRow.seat.is_(None), call_before, FINISHED))
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


async def store_messages(session: AsyncSession, messages: Iterable[PassingMessage]) -> None:
    """Store messages; one that is stored already is replaced."""
    for one in messages:
        values = {
            "channel": one.channel,
            "match_id": one.match,
            "plies": one.plies,
            "until": one.until,
            "seat": one.seat,
        }
        await upsert(session, PassingMessageRow, {"message": one.message}, values)


def replaced(match: MatchRow, by: Panel) -> list[PassingMessage]:
    """Return the board of a match, which a newer message replaces; nothing if the message stays the same."""
    before = match.panel
    if before is None or before.message == by.message:
        return []
    return [PassingMessage(match.id, before.channel, before.message, before.plies, by.plies)]
