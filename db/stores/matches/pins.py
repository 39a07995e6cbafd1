"""Boards in the database that are pinned in their channels."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, delete, or_, select, update

from db.api.matches.matches import Panel
from db.api.matches.pins import Pin
from db.api.places import DiscordId
from db.models import FINISHED, MatchRow, PinRow
from db.stores.base import StorePart, inserting


class PinPart(StorePart):
    """The queries of db.api.matches.pins."""

    async def pins(self, match: int) -> Sequence[Pin]:
        theirs = select(PinRow).where(PinRow.match_id == match).order_by(PinRow.message)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(theirs)]

    async def unsettled_pins(self) -> Sequence[int]:
        replaced = MatchRow.panel_message != PinRow.message
        query = (
            select(PinRow.match_id)
            .join(MatchRow, MatchRow.id == PinRow.match_id)
            .where(or_(PinRow.pinned.is_(False), replaced, FINISHED), self._served(MatchRow.guild))
            .order_by(PinRow.match_id)
            .distinct()
        )
        async with self._sessions.read() as session:
            return (await session.scalars(query)).all()

    async def pinned(self, message: DiscordId) -> None:
        async with self._sessions.write() as session:
            await session.execute(update(PinRow).where(PinRow.message == message).values(pinned=True))

    async def forget_pins(self, messages: Iterable[DiscordId]) -> None:
        async with self._sessions.write() as session:
            await session.execute(delete(PinRow).where(PinRow.message.in_(list(messages))))


def store_pin(connection: Connection, match: int, panel: Panel) -> None:
    """Store that a board is to be pinned, unless it is stored already."""
    made = inserting(connection, PinRow).values(
        message=panel.message, channel=panel.channel, match_id=match, pinned=False
    )
    connection.execute(made.on_conflict_do_nothing(index_elements=["message"]))
