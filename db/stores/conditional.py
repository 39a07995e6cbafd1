"""Conditional moves in the database.

Transactions lock the match first, so that an entry of its log and a change of its variations wait for each other.
"""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import MatchRow, VariationRow
from db.stores.base import StorePart, add_members
from db.values.matches import MovedOn, Variation, VariationsChanged
from db.values.places import DiscordId


class VariationStore(StorePart):
    """The variations of members in running matches."""

    async def of_match(self, match: int) -> list[Variation]:
        """Return the variations of all members in a match, the oldest first."""
        query = select(VariationRow).where(VariationRow.match_id == match).order_by(VariationRow.id)
        return [row.value() for row in await self._scalars(query)]

    async def change(
        self,
        match: int,
        user: DiscordId,
        plies: int,
        known: Collection[int],
        gone: Collection[int],
        added: Sequence[tuple[str, ...]],
    ) -> None:
        """Delete the variations `gone` of a member in a match that has `plies` entries, and add others.

        Raises MovedOn if the match has another number of entries or is over, and VariationsChanged if `known` are not
        the ids of all variations of the member there.
        """
        theirs = VariationRow.match_id == match, VariationRow.user_id == user
        async with self._sessions.write() as session:
            await _lock(session, match, plies)
            found = await session.scalars(select(VariationRow.id).where(*theirs))
            if set(found) != set(known):
                raise VariationsChanged(f"other variations in match {match} than {sorted(known)}")
            await add_members(session, [user])
            await _delete(session, gone)
            session.add_all(
                VariationRow(match_id=match, user_id=user, plies=plies, moves=moves) for moves in added
            )

    async def follow(
        self, match: int, plies: int, rests: Mapping[int, tuple[str, ...]], gone: Collection[int]
    ) -> None:
        """Store the moves that are left of variations, by id, now that a match has `plies` entries; delete `gone`.

        Raises MovedOn if the match has another number of entries or is over.
        """
        rows = [{"id": number, "plies": plies, "moves": rest} for number, rest in rests.items()]
        async with self._sessions.write() as session:
            await _lock(session, match, plies)
            await _delete(session, gone)
            if rows:
                await session.execute(update(VariationRow), rows)

    async def forget(self, user: DiscordId) -> None:
        """Delete all variations of a member."""
        await self._write(delete(VariationRow).where(VariationRow.user_id == user))

    async def behind(self, limit: int) -> Sequence[int]:
        """Return at most `limit` served matches with variations that were not compared with their newest entries."""
        query = (
            select(VariationRow.match_id)
            .distinct()
            .join(MatchRow, MatchRow.id == VariationRow.match_id)
            .where(VariationRow.plies < MatchRow.plies, self._served(MatchRow.guild))
            .order_by(VariationRow.match_id)
            .limit(limit)
        )
        return await self._scalars(query)


async def _delete(session: AsyncSession, variations: Collection[int]) -> None:
    if variations:
        await session.execute(delete(VariationRow).where(VariationRow.id.in_(variations)))


async def _lock(session: AsyncSession, match: int, plies: int) -> None:
    """Lock a match until the transaction ends. Raises MovedOn if it is over or has not `plies` entries."""
    row = await session.get(MatchRow, match, with_for_update=True)
    if row is None or row.plies != plies or row.finished_at is not None:
        raise MovedOn(f"match {match} has not {plies} plies, or is over")
