"""Matches in the database."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Select, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.api.achievements import Award
from db.api.challenges import Answer
from db.api.clocks import ClocksMoved, Ticking
from db.api.matches import MovedOn, Outcome, Panel, StoredMatch
from db.api.places import DiscordId, former
from db.models import PLAYING, RUNNING, UNSHOWN, AwardRow, MatchRow, PlyRow, SeatRow
from db.stores.base import HIGHEST, Kept
from db.stores.proposals import close
from db.stores.rating import rate_match
from db.stores.tidings import to_be_told
from db.stores.unrating import take_back
from rules.core.match import Ply


class MatchStore(Kept):
    """Matches: played, shown, found again."""

    async def load(self, match: int) -> StoredMatch | None:
        """The match with this id."""
        if match > HIGHEST:
            return None
        found = await self._matches(whole().where(MatchRow.id == match))
        return found[0] if found else None

    async def append(
        self,
        match: int,
        plies: int,
        ply: Ply,
        at: datetime,
        outcomes: Sequence[Outcome] | None,
        salt: str | None = None,
        ticking: Ticking | None = None,
        proposal: int | None = None,
        awards: Sequence[Award] = (),
        ranks: Sequence[int] | None = None,
    ) -> None:
        """Append `ply` to a match that has `plies` plies; `outcomes` by seat if it ends the match.

        `salt` is what it is sealed with, if it is; `ticking` what it does to the clocks, if there are any; `proposal`
        what it carries out of what was proposed in this match, which is accepted with it; `awards` what the match
        proves now that it is over; `ranks` the places by seat, from 1, equal where one is shared, if the result changes
        the ratings of the players.

        Raises MovedOn when the match has another number of plies, or is over, ClocksMoved when its clocks do not stand
        as before, and Settled when the proposal is not open any more.
        """
        async with self._sessions.write() as session:
            row = await _appended(session, match, plies, ply, at, salt)
            if ticking is not None:
                await _tick(session, match, ticking)
            if proposal is not None:
                await close(session, proposal, Answer.ACCEPTED, at)
            if outcomes is not None:
                if len(outcomes) != row.players:
                    raise ValueError(f"{row.players} seats cannot have {len(outcomes)} outcomes.")
                row.finished_at = at
                await session.execute(
                    update(SeatRow),
                    [
                        {"match_id": match, "seat": seat, "outcome": outcome, "finished_at": at}
                        for seat, outcome in enumerate(outcomes)
                    ],
                )
                await award(session, match, at, awards)
                await to_be_told(session, row, at)
                if ranks is not None:
                    await rate_match(session, row, ranks, at)

    async def break_off(self, match: int, plies: int, ply: Ply, at: datetime, reason: str) -> None:
        """End a match that has `plies` plies without outcomes; `ply` says so in its log. Raises MovedOn like append."""
        async with self._sessions.write() as session:
            row = await _appended(session, match, plies, ply, at, None)
            row.finished_at, row.void, row.voided_at = at, reason, at
            await to_be_told(session, row, at)
            await session.execute(
                update(SeatRow),
                [
                    {"match_id": match, "seat": seat, "finished_at": at, "deadline": None, "remind_at": None}
                    for seat in range(row.players)
                ],
            )

    async def void(self, match: int, at: datetime, reason: str) -> None:
        """Take back the result of a finished match: nobody has won it, earned anything by it or been rated for it.

        Raises MovedOn when it is not over, or has no result any more.
        """
        async with self._sessions.write() as session:
            row = await _match(session, match)
            if row.finished_at is None or row.void is not None:
                raise MovedOn(f"match {match} has no result")
            row.void, row.voided_at = reason, at
            await to_be_told(session, row, at)
            await session.execute(update(SeatRow).where(SeatRow.match_id == match).values(outcome=None))
            await session.execute(delete(AwardRow).where(AwardRow.match_id == match))
            await session.flush()
            await take_back(session, match, at)

    async def move(self, match: int, channel: DiscordId, home: DiscordId | None) -> None:
        """From now on a match is played in this channel of the same server, or in this thread of the channel `home`."""
        async with self._sessions.write() as session:
            row = await _match(session, match)
            row.channel, row.home = channel, home

    async def show(self, match: int, panel: Panel) -> None:
        """Remember the message that shows a match."""
        async with self._sessions.write() as session:
            row = await _match(session, match)
            row.panel_channel, row.panel_message, row.panel_plies = panel.channel, panel.message, panel.plies

    async def running(
        self,
        *,
        user: DiscordId | None = None,
        channel: DiscordId | None = None,
        guild: DiscordId | None = None,
    ) -> list[StoredMatch]:
        """Matches that are not over, narrowed by whatever is given, oldest first."""
        query = whole().where(RUNNING).order_by(MatchRow.started_at, MatchRow.id)
        if user is not None:
            theirs = select(SeatRow.match_id).where(SeatRow.user_id == user, PLAYING)
            query = query.where(MatchRow.id.in_(theirs))
        if channel is not None:
            query = query.where(MatchRow.channel == channel)
        if guild is not None:
            query = query.where(MatchRow.guild == guild)
        return await self._matches(query)

    async def unshown(self, channel: DiscordId | None = None) -> list[StoredMatch]:
        """Matches whose panel is missing or shows fewer plies than were played (finished ones too).

        Those in servers, or those in this channel.
        """
        where = MatchRow.guild.is_not(None) if channel is None else MatchRow.channel == channel
        query = whole().where(UNSHOWN, where).order_by(MatchRow.started_at, MatchRow.id)
        return await self._matches(query)

    async def _matches(self, query: Select[MatchRow]) -> list[StoredMatch]:
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]


def whole() -> Select[MatchRow]:
    """Matches with their seats and logs: three queries, however many matches there are."""
    return select(MatchRow).options(selectinload(MatchRow.seats), selectinload(MatchRow.log))


async def award(session: AsyncSession, match: int, at: datetime, awards: Sequence[Award]) -> None:
    """Note what a match, whose row is locked, proves of its members since it ended at `at`; who has been forgotten has
    nothing any more."""
    if not awards:
        return
    query = select(SeatRow.seat, SeatRow.user_id).where(SeatRow.match_id == match).with_for_update()
    users = {row.seat: row.user_id for row in await session.execute(query)}
    session.add_all(
        AwardRow(match_id=match, user_id=users[it.seat], key=it.key, earned_at=at)
        for it in awards
        if not former(users[it.seat])
    )


async def _match(session: AsyncSession, match: int) -> MatchRow:
    """The row of a match, locked until the transaction ends."""
    row = await session.get(MatchRow, match, with_for_update=True)
    if row is None:
        raise LookupError(f"there is no match {match}")
    return row


async def _tick(session: AsyncSession, match: int, ticking: Ticking) -> None:
    """Let the clocks of a match, whose row is locked, stand as after. Raises ClocksMoved."""
    seats = await session.scalars(
        select(SeatRow).where(SeatRow.match_id == match).order_by(SeatRow.seat).with_for_update()
    )
    for row, before, after in zip(seats, ticking.before, ticking.after, strict=True):
        stands = row.clock is None if before is None else before.same_time(row.clock)
        if not stands:
            raise ClocksMoved(f"seat {row.seat} of match {match} has another time left")
        if after != before:  # else its reminder may have been taken meanwhile
            row.clock = after


async def _appended(
    session: AsyncSession, match: int, plies: int, ply: Ply, at: datetime, salt: str | None
) -> MatchRow:
    """The locked row of a match, after its log got one more entry. Raises MovedOn."""
    row = await _match(session, match)
    if row.plies != plies or row.finished_at is not None:
        raise MovedOn(f"match {match} has {row.plies} plies, not {plies}, or is over")
    row.plies += 1
    session.add(PlyRow(match_id=match, ply=plies, seat=ply.seat, text=ply.text, played_at=at, salt=salt))
    return row
