"""Titles of members in the database, and the roles that mirror them."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Select, and_, bindparam, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import GIVEN, WITHOUT_ROLE, EventRow, MatchRow, PlyRow, SeatRow, TitleRoleRow, TitleRow
from db.stores.base import StorePart, add_members, add_server, inserting, upsert
from db.values.events import WORN, RoleChange, Title, TitleKind
from db.values.members import is_computer
from db.values.places import DiscordId


class TitleStore(StorePart):
    """The titles of members. A title is stored once, and its role follows what Discord has confirmed."""

    async def of(self, user: DiscordId, guild: DiscordId) -> Sequence[Title]:
        """Return the titles of a member in a server, the newest first."""
        row = TitleRow
        query = (
            select(row, EventRow.game, EventRow.season)
            .outerjoin(EventRow, EventRow.id == row.event_id)
            .where(row.user_id == user, row.guild == guild, row.wanted)
            .order_by(row.earned_at.desc(), row.kind, row.key)
        )
        return [
            Title(it.user_id, it.kind, it.key, it.earned_at, it.event_id, game, season)
            for it, game, season in await self._rows(query)
        ]

    async def add(
        self, guild: DiscordId, kind: TitleKind, key: str, users: Sequence[DiscordId], at: datetime
    ) -> None:
        """Store a title that belongs to no event, unless somebody has this title of this key already."""
        async with self._sessions.write() as session:
            await add_server(session, guild)
            await add_members(session, users)
            await _insert(session, guild, kind, key, users, at)

    async def finishers(
        self, guild: DiscordId, begin: datetime, end: datetime, least: int
    ) -> list[DiscordId]:
        """Return the members who finished the most games of a server in a time, and lost none of them on time.

        They finished at least `least`; more than one member if they finished equally many.
        """
        seat = SeatRow
        late = select(PlyRow.ply).where(
            PlyRow.match_id == seat.match_id, PlyRow.seat == seat.seat, PlyRow.text == "timeout"
        )
        number = func.count()
        query = (
            select(seat.user_id, number)
            .join(MatchRow, MatchRow.id == seat.match_id)
            .where(MatchRow.guild == guild, MatchRow.finished_at.is_not(None), MatchRow.void.is_(None))
            .where(MatchRow.finished_at >= begin, MatchRow.finished_at < end, MatchRow.private.is_(False))
            .where(seat.user_id > 0)
            .group_by(seat.user_id)
            .having(number >= least)
            .order_by(number.desc(), seat.user_id)
        )
        lost = (
            select(seat.user_id)
            .join(MatchRow, MatchRow.id == seat.match_id)
            .where(MatchRow.guild == guild, MatchRow.finished_at >= begin, MatchRow.finished_at < end)
            .where(late.exists())
        )
        unreliable, rows = await self._read(lambda it: ({*it.scalars(lost)}, it.execute(query).all()))
        found = [it for it in rows if it.user_id not in unreliable and not is_computer(it.user_id)]
        return [user for user, games in found if games == found[0][1]]

    async def roles(self, guild: DiscordId) -> Mapping[TitleKind, DiscordId]:
        """Return the roles of a server that mirror titles."""
        query = select(TitleRoleRow).where(TitleRoleRow.guild == guild)
        return {it.kind: it.role for it in await self._scalars(query)}

    async def choose(self, guild: DiscordId, kind: TitleKind, role: DiscordId | None) -> None:
        """Let a role mirror a kind of title from now on, or none."""
        row = TitleRoleRow
        async with self._sessions.write() as session:
            await add_server(session, guild)
            if role is None:
                await session.execute(delete(row).where(row.guild == guild, row.kind == kind))
            else:
                await upsert(session, row, {"guild": guild, "kind": kind}, {"role": role})

    async def due(self, at: datetime, limit: int) -> Sequence[RoleChange]:
        """Return at most `limit` roles of served servers that are to be given or taken away."""
        taking, giving = self._built(self._due, limit)
        now = {"worn": at - WORN}
        taken, given = await self._read(
            lambda it: (it.execute(taking, now).all(), it.execute(giving, now).all())
        )
        changes = [RoleChange(it.guild, it.user_id, it.kind, it.key, it.role, None) for it, _ in taken]
        changes += [RoleChange(it.guild, it.user_id, it.kind, it.key, None, role) for it, role in given]
        return changes[:limit]

    def _due(self, limit: int) -> tuple[Select[TitleRow, int | None], Select[TitleRow, int | None]]:
        row, chosen = TitleRow, TitleRoleRow
        order = row.earned_at, row.guild, row.kind, row.key, row.user_id
        query = (
            select(row, chosen.role)
            .outerjoin(chosen, and_(chosen.guild == row.guild, chosen.kind == row.kind))
            .where(self._served(row.guild))
            .order_by(*order)
            .limit(limit)
        )
        late = or_(~row.wanted, row.earned_at <= bindparam("worn"), chosen.role.is_distinct_from(row.role))
        taking = query.where(GIVEN, late)
        giving = query.where(
            WITHOUT_ROLE, chosen.role.is_not(None), row.wanted, row.earned_at > bindparam("worn")
        )
        return taking, giving

    async def holds_otherwise(self, change: RoleChange, at: datetime) -> bool:
        """Return True if a member keeps a role that is to be taken away, because another title still warrants it."""
        row, chosen = TitleRow, TitleRoleRow
        query = (
            select(row.key)
            .join(chosen, and_(chosen.guild == row.guild, chosen.kind == row.kind))
            .where(row.guild == change.guild, row.user_id == change.user, chosen.role == change.held)
            .where(row.wanted, row.earned_at > at - WORN)
        )
        return await self._scalar(query) is not None

    async def confirm(self, change: RoleChange, *, given: bool = True) -> None:
        """Store that Discord has confirmed a change of a role; without `given`, that the role cannot be given."""
        row = TitleRow
        its = (
            row.guild == change.guild,
            row.kind == change.kind,
            row.key == change.key,
            row.user_id == change.user,
        )
        async with self._sessions.write() as session:
            if change.give is not None:
                after = {"role": change.give} if given else {"wanted": False}
                await session.execute(update(row).where(*its).values(**after))
                return
            await session.execute(delete(row).where(*its, ~row.wanted))
            await session.execute(update(row).where(*its).values(role=None))


async def replace_titles(
    session: AsyncSession, event: EventRow, titles: Mapping[TitleKind, Sequence[DiscordId]], at: datetime
) -> None:
    """Store the titles of an event that is over, and take back those that it does not earn any more."""
    kept = [(kind, user) for kind, users in titles.items() for user in users]
    held = await session.scalars(select(TitleRow).where(TitleRow.event_id == event.id))
    for row in held.all():
        row.wanted = (row.kind, row.user_id) in kept
        if not row.wanted and row.role is None:
            await session.delete(row)
    await session.flush()
    for kind, users in titles.items():
        await _insert(session, event.guild, kind, str(event.id), users, at, event.id)


async def _insert(
    session: AsyncSession,
    guild: DiscordId,
    kind: TitleKind,
    key: str,
    users: Sequence[DiscordId],
    at: datetime,
    event: int | None = None,
) -> None:
    rows = [
        {"guild": guild, "kind": kind, "key": key, "user_id": user, "event_id": event, "earned_at": at}
        for user in users
    ]
    if rows:
        await session.execute(inserting(session, TitleRow).values(rows).on_conflict_do_nothing())


async def take_roles(session: AsyncSession, user: DiscordId) -> None:
    """Let the roles of a member whose data is deleted be taken away; the rows are deleted then."""
    given = TitleRow.user_id == user, TitleRow.role.is_not(None)
    await session.execute(update(TitleRow).where(*given).values(wanted=False, event_id=None))
