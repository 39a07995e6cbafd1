"""Proposals in the database.

Transactions lock the match first, then its board, then the proposal, so that none wait for each other.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Select, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.models import PLAYING, PROPOSED, ConsentRow, MatchRow, ProposalRow, SeatRow
from db.processes.notifications import Subject
from db.stores.base import HIGHEST, StorePart, named, run_at_once
from db.stores.posts import change_post
from db.values.challenges import Answer
from db.values.matches import MovedOn
from db.values.members import COMPUTER_PLAYERS
from db.values.places import DiscordId
from db.values.posts import PostKind
from db.values.proposals import Matter, NewProposal, Proposal, ProposalClosed, ProposalExists
from rules.core.game import Seat


class ProposalStore(StorePart):
    """The proposals of draws and takebacks in running matches."""

    async def add(self, new: NewProposal, plies: int) -> Proposal:
        """Store an open proposal in a match that has `plies` plies.

        Raises MovedOn if the match has another number of plies or is over, and ProposalExists if it has an open
        proposal of this matter.
        """
        async with self._sessions.write() as session:
            match = await session.get(MatchRow, new.match, with_for_update=True)
            if match is None:
                raise LookupError(f"there is no match {new.match}")
            if match.plies != plies or match.finished_at is not None:
                raise MovedOn(f"match {match.id} has {match.plies} plies, not {plies}, or is over")
            query = _whole().where(
                PROPOSED, ProposalRow.match_id == new.match, ProposalRow.matter == new.matter
            )
            if other := await session.scalar(query):
                raise ProposalExists(other.value())
            row = await insert(session, new)
            await self._board_changes(session, row.id, new.made_at)
        return row.value()

    async def get(self, proposal: int) -> Proposal | None:
        """Return the proposal with this id, open or not, or None."""
        if proposal > HIGHEST:
            return None
        return next(iter(await self._proposals(_whole().where(ProposalRow.id == proposal))), None)

    async def open(self, match: int | None = None, *, user: DiscordId | None = None) -> list[Proposal]:
        """Return open proposals, the oldest first: those in `match` and in matches that `user` plays, if given."""
        query = _whole().where(PROPOSED)
        if match is not None:
            query = query.where(ProposalRow.match_id == match)
        elif user is None:
            query = query.join(MatchRow, MatchRow.id == ProposalRow.match_id).where(
                self._served(MatchRow.guild)
            )
        if user is not None:
            theirs = select(SeatRow.match_id).where(SeatRow.user_id == user, PLAYING)
            query = query.where(ProposalRow.match_id.in_(theirs))
        return await self._proposals(query)

    async def made_at(self, match: int, shown: int) -> list[Proposal]:
        """Return the proposals of a match that are open, or that were made when it had `shown` public log entries.

        The oldest come first.
        """
        stands = or_(PROPOSED, ProposalRow.shown == shown)
        return await self._proposals(_whole().where(ProposalRow.match_id == match, stands))

    async def last(self, match: int, matter: Matter, seat: Seat) -> Proposal | None:
        """Return the newest proposal of this matter that a seat has made, open or not, or None."""
        query = _whole().where(
            ProposalRow.match_id == match, ProposalRow.seat == seat, ProposalRow.matter == matter
        )
        found = await self._proposals(query)
        return found[-1] if found else None

    async def note_told(self, proposals: Sequence[int]) -> None:
        """Note that the other players were notified of these proposals."""
        await self._write(update(ProposalRow).where(ProposalRow.id.in_(proposals)).values(told=True))

    async def agree(self, proposal: int, seat: Seat, at: datetime) -> Proposal:
        """Record that a seat agrees to an open proposal; agreeing twice changes nothing. Raises ProposalClosed."""
        async with self._sessions.write() as session:
            await self._board_changes(session, proposal, at)
            row = await _open(session, proposal)
            if seat not in (consent.seat for consent in row.consents):
                row.consents.append(ConsentRow(seat=seat, agreed_at=at))
        return row.value()

    async def close(self, proposal: int, answer: Answer, at: datetime) -> Proposal:
        """Close an open proposal that is not carried out. Raises ProposalClosed."""
        async with self._sessions.write() as session:
            await self._board_changes(session, proposal, at)
            row = await close(session, proposal, answer, at)
        return row.value()

    async def _board_changes(self, session: AsyncSession, proposal: int, at: datetime) -> None:
        """Have the board of a match show a proposal, by the process that owns its server.

        This locks the board, before the proposal is locked.
        """
        of = select(MatchRow.id, MatchRow.guild).join(ProposalRow, ProposalRow.match_id == MatchRow.id)
        found = (await session.execute(of.where(ProposalRow.id == proposal))).one_or_none()
        if found is None:
            raise LookupError(f"there is no proposal {proposal}")
        match, guild = found

        def change(connection: Connection) -> None:
            change_post(connection, PostKind.BOARD, match, at)
            self._tell(connection, Subject.MATCH, match, guild)

        await run_at_once(session, change)

    async def _proposals(self, query: Select[ProposalRow]) -> list[Proposal]:
        return [row.value() for row in await self._scalars(query)]

    async def unanswered_by_computers(self, limit: int) -> Sequence[int]:
        """Return the ids of at most `limit` open proposals that wait for a computer player, the oldest first."""
        agreed = ConsentRow.proposal_id == ProposalRow.id, ConsentRow.seat == SeatRow.seat
        query = (
            select(ProposalRow.id)
            .join(MatchRow, MatchRow.id == ProposalRow.match_id)
            .join(SeatRow, SeatRow.match_id == ProposalRow.match_id)
            .where(PROPOSED, self._served(MatchRow.guild), SeatRow.user_id.in_(COMPUTER_PLAYERS), PLAYING)
            .where(SeatRow.seat != ProposalRow.seat, ~exists().where(*agreed))
            .where(ProposalRow.matter != Matter.SEAT)
            .group_by(ProposalRow.id)
            .order_by(ProposalRow.made_at, ProposalRow.id)
            .limit(limit)
        )
        return await self._scalars(query)


async def insert(session: AsyncSession, new: NewProposal) -> ProposalRow:
    """Add an open proposal within a transaction. The match must have no other open one of this matter."""
    row = ProposalRow(match_id=new.match, **named(new, "match"), answer=Answer.OPEN, consents=[])
    session.add(row)
    await session.flush()
    return row


async def offer_seat(session: AsyncSession, new: NewProposal) -> None:
    """Offer a seat to a computer player within a transaction. An earlier such offer of the match expires."""
    earlier = ProposalRow.match_id == new.match, ProposalRow.matter == Matter.SEAT
    expired = {"answer": Answer.EXPIRED, "answered_at": new.made_at}
    await session.execute(update(ProposalRow).where(PROPOSED, *earlier).values(expired))
    await insert(session, new)


async def close(session: AsyncSession, proposal: int, answer: Answer, at: datetime) -> ProposalRow:
    """Close an open proposal within a transaction. Raises ProposalClosed."""
    row = await _open(session, proposal)
    row.answer, row.answered_at = answer, at
    return row


async def _open(session: AsyncSession, proposal: int) -> ProposalRow:
    """Return an open proposal with its consents, locked until the transaction ends. Raises ProposalClosed."""
    query = _whole().where(ProposalRow.id == proposal).with_for_update()
    row = await session.scalar(query)
    if row is None:
        raise LookupError(f"there is no proposal {proposal}")
    if row.answer is not Answer.OPEN:
        raise ProposalClosed(row.value())
    return row


def _whole() -> Select[ProposalRow]:
    """Select proposals with their consents, the oldest first."""
    return (
        select(ProposalRow)
        .options(selectinload(ProposalRow.consents))
        .order_by(ProposalRow.made_at, ProposalRow.id)
    )
