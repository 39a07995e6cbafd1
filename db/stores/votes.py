"""Vote games in the database."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import RUNNING, InvitationRow, MatchRow, PostRow, VolunteerRow, VoteGameRow, VoteRow
from db.processes.notifications import Subject
from db.stores.base import StorePart, add_members, add_server, inserting, named, run_at_once, upsert
from db.stores.matches.rows import add_match
from db.stores.posts import add_post, change_post, queue_messages
from db.values.matches import Beginning, MatchOptions
from db.values.places import DiscordId, Place
from db.values.posts import News, PostKind
from db.values.votes import Invitation, Volunteer, Vote, VoteGame, VoteOver, VoteTerms
from rules.core.match import Setup

CASUAL = MatchOptions(rated=False)


class VoteStore(StorePart):
    """The vote games and the votes. A vote game is a match with a schedule; its moves are entries of its log."""

    async def begin(
        self,
        setup: Setup,
        terms: VoteTerms,
        place: Place,
        users: Sequence[DiscordId],
        begun: Beginning,
        at: datetime,
        guests: tuple[Invitation, Place] | None = None,
    ) -> int:
        """Store a new vote game, which is never searched for moments of its players. Return the id of its match.

        `guests` are an invitation and the place where it was accepted. Raises VoteOver if it was accepted before.
        """
        async with self._sessions.write() as session:
            await add_server(session, place.guild)
            match = await add_match(session, setup, CASUAL, place, users, begun, at)
            await session.execute(update(MatchRow).where(MatchRow.id == match).values(searched=True))
            if guests is not None:
                invitation, there = guests
                await add_server(session, there.guild)
                taking = delete(InvitationRow).where(InvitationRow.code == invitation.code)
                if not (await session.execute(taking.returning(InvitationRow.guild))).all():
                    raise VoteOver(f"the invitation {invitation.code} is gone")
                await run_at_once(session, add_post, PostKind.COPY, match, there, at, str(there.guild))
            session.add(VoteGameRow(match_id=match, due_at=terms.first_at, **named(terms)))
        return match

    async def invite(self, invitation: Invitation) -> None:
        """Store the invitation of a server, in the place of an earlier one."""
        place = invitation.place
        values = named(invitation, "place", "terms") | named(invitation.terms)
        values |= {"channel": place.channel, "home": place.parent}
        async with self._sessions.write() as session:
            await add_server(session, place.guild)
            await upsert(session, InvitationRow, {"guild": place.guild}, values)

    async def invitation(self, code: str) -> Invitation | None:
        row = await self._scalar(select(InvitationRow).where(InvitationRow.code == code))
        if row is None:
            return None
        place = Place(row.guild, row.channel, row.home)
        return row.read_as(Invitation, place=place, terms=row.read_as(VoteTerms))

    async def get(self, match: int) -> VoteGame | None:
        """Return the schedule of a match, or None if it is no vote game."""
        row = await self._get(VoteGameRow, match)
        return None if row is None else row.read_as(VoteGame, match=match, terms=row.read_as(VoteTerms))

    async def running(self, guild: DiscordId) -> int:
        """Return the number of vote games that a server hosts and that are not over."""
        query = (
            select(VoteGameRow.match_id).join(MatchRow, MatchRow.id == VoteGameRow.match_id).where(RUNNING)
        )
        return len(await self._scalars(query.where(MatchRow.guild == guild)))

    async def due(self, at: datetime, limit: int) -> Sequence[int]:
        """Return at most `limit` vote games of the served servers whose vote is over, by their matches."""
        query = (
            select(VoteGameRow.match_id)
            .join(MatchRow, MatchRow.id == VoteGameRow.match_id)
            .where(VoteGameRow.due_at <= at, self._served(MatchRow.guild))
            .order_by(VoteGameRow.due_at, VoteGameRow.match_id)
            .limit(limit)
        )
        return await self._scalars(query)

    async def cast(self, match: int, ply: int, vote: Vote) -> None:
        """Store a vote for the next entry of a match, in the place of a vote of that member for another move.

        Raises VoteOver if the match has another number of entries than `ply` or is over, or the time for votes is.
        """
        async with self._sessions.write() as session:
            row = await session.get(MatchRow, match, with_for_update=True)
            schedule = await session.get(VoteGameRow, match)
            if row is None or schedule is None or row.plies != ply or row.finished_at is not None:
                raise VoteOver(f"match {match} is not at ply {ply}")
            if schedule.due_at is None or schedule.due_at <= vote.at:
                raise VoteOver(f"the vote in match {match} is over")
            theirs = VoteRow.match_id == match, VoteRow.ply == ply, VoteRow.user_id == vote.user
            if await session.scalar(select(VoteRow.move).where(*theirs)) == vote.move:
                return
            await add_members(session, [vote.user])
            # A changed vote is a later one, also by its id.
            await session.execute(delete(VoteRow).where(*theirs))
            session.add(VoteRow(match_id=match, ply=ply, user_id=vote.user, move=vote.move, voted_at=vote.at))
            await session.flush()
            await run_at_once(session, change_post, PostKind.BOARD, match, vote.at)
            await run_at_once(session, self._tell, Subject.MATCH, match, row.guild)

    async def votes(self, match: int, ply: int) -> Sequence[Vote]:
        """Return the votes for an entry of a match, the earliest first."""
        query = select(VoteRow).where(VoteRow.match_id == match, VoteRow.ply == ply)
        found = await self._scalars(query.order_by(VoteRow.voted_at, VoteRow.id))
        return [Vote(it.user_id, it.move, it.voted_at) for it in found]

    async def voters(self, match: int) -> Sequence[tuple[int, DiscordId]]:
        """Return for which entry each member first voted in a match, in this order. Former members are left out."""
        first = func.min(VoteRow.ply).label("first")
        query = select(first, VoteRow.user_id).where(VoteRow.match_id == match, VoteRow.user_id > 0)
        found = await self._rows(query.group_by(VoteRow.user_id).order_by(first, func.min(VoteRow.id)))
        return [(it.first, it.user_id) for it in found]

    async def voted_in(self, user: DiscordId) -> Sequence[int]:
        """Return the running matches in which a member has voted or volunteered, oldest first."""
        voted = select(VoteRow.match_id).where(VoteRow.user_id == user)
        volunteered = select(VolunteerRow.match_id).where(VolunteerRow.user_id == user)
        theirs = MatchRow.id.in_(voted.union(volunteered))
        return await self._scalars(select(MatchRow.id).where(RUNNING, theirs).order_by(MatchRow.id))

    async def volunteers(self, match: int) -> Sequence[Volunteer]:
        """Return the volunteers for all phases of a match: first those who were drawn, in this order, then the others.

        A former member, whose id is below zero, is among them only if they were drawn.
        """
        row = VolunteerRow
        query = select(row).where(row.match_id == match).order_by(row.drawn_at.nulls_last(), row.id)
        return [it.read_as(Volunteer, user=it.user_id) for it in await self._scalars(query)]

    async def playing(self) -> Sequence[int]:
        """Return the vote games of the served servers in which a volunteer who was drawn plays, by their matches."""
        row = VolunteerRow
        query = (
            select(row.match_id)
            .distinct()
            .join(VoteGameRow, VoteGameRow.match_id == row.match_id)
            .join(MatchRow, MatchRow.id == row.match_id)
            .where(VoteGameRow.due_at.is_not(None), row.drawn_at.is_not(None), row.out_at.is_(None))
            .where(self._served(MatchRow.guild))
            .order_by(row.match_id)
        )
        return await self._scalars(query)

    async def volunteer(self, match: int, volunteer: Volunteer, at: datetime) -> None:
        """Store a member who volunteers, unless they have already. Raises VoteOver if the match is over."""
        values = {"match_id": match, "user_id": volunteer.user, **named(volunteer, "user")}
        async with self._volunteering(match, at) as session:
            await add_members(session, [volunteer.user])
            await session.execute(inserting(session, VolunteerRow).values(values).on_conflict_do_nothing())

    async def withdraw(self, match: int, volunteer: Volunteer, at: datetime) -> None:
        """Delete a volunteer who was not drawn. Raises VoteOver if the match is over."""
        async with self._volunteering(match, at) as session:
            waits = *_row_of(match, volunteer), VolunteerRow.drawn_at.is_(None)
            await session.execute(delete(VolunteerRow).where(*waits))

    async def draw(
        self,
        match: int,
        out: Volunteer | None,
        new: Volunteer | None,
        at: datetime,
        told: tuple[DiscordId | None, News] | None = None,
    ) -> None:
        """Let a volunteer who was drawn play no longer, and another one play.

        `told` is the direct message to the new one, with the server of the message. Raises VoteOver, and changes
        nothing, if the match is over, or if another volunteer plays than `out`.
        """
        row = VolunteerRow
        async with self._volunteering(match, at) as session:
            if out is not None:
                plays = *_row_of(match, out), row.drawn_at.is_not(None), row.out_at.is_(None)
                leaving = update(row).where(*plays).values(out_at=at).returning(row.id)
                if not (await session.execute(leaving)).all():
                    raise VoteOver(f"another volunteer plays in match {match}")
            if new is None:
                return
            phase = row.match_id == match, row.seat == new.seat, row.phase == new.phase
            now = select(row.id).where(*phase, row.drawn_at.is_not(None), row.out_at.is_(None))
            drawing = update(row).where(*_row_of(match, new), row.drawn_at.is_(None)).values(drawn_at=at)
            taken = (await session.execute(now)).all()
            if taken or not (await session.execute(drawing.returning(row.id))).all():
                raise VoteOver(f"another volunteer plays in match {match}")
            if told is not None:
                await run_at_once(session, queue_messages, [new.user], *told, at)

    @asynccontextmanager
    async def _volunteering(self, match: int, at: datetime) -> AsyncGenerator[AsyncSession]:
        """Change the volunteers of a running match, whose boards then change, too. Raises VoteOver if it is over."""
        async with self._sessions.write() as session:
            row = await session.get(MatchRow, match, with_for_update=True)
            if row is None or row.finished_at is not None:
                raise VoteOver(f"match {match} is over")
            yield session
            await run_at_once(session, change_post, PostKind.BOARD, match, at)
            await run_at_once(session, self._tell, Subject.MATCH, match, row.guild)

    async def guests(self, match: int) -> DiscordId | None:
        """Return the server whose members play against those of the server of a match, or None."""
        query = select(PostRow.guild).where(PostRow.kind == PostKind.COPY, PostRow.subject == match)
        return await self._scalar(query)

    async def schedule(
        self, before: VoteGame, due_at: datetime | None, at: datetime, *, extended: bool = False
    ) -> None:
        """Let the next vote of a game, or the same one if it is `extended`, end at `due_at`; None if there is none.

        Nothing changes if the schedule is no longer as in `before`.
        """
        unchanged = VoteGameRow.match_id == before.match, VoteGameRow.due_at == before.due_at
        putting_off = update(VoteGameRow).where(*unchanged).values(due_at=due_at, extended=extended)
        async with self._sessions.write() as session:
            if (await session.execute(putting_off.returning(VoteGameRow.match_id))).all():
                await run_at_once(session, change_post, PostKind.BOARD, before.match, at)


def _row_of(match: int, volunteer: Volunteer) -> tuple[ColumnElement[bool], ...]:
    row = VolunteerRow
    theirs = row.user_id == volunteer.user, row.seat == volunteer.seat, row.phase == volunteer.phase
    return row.match_id == match, *theirs
