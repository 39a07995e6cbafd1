"""Matches in the database."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import zip_longest

from sqlalchemy import Connection, Select, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.achievements import Award
from db.api.challenges import Answer
from db.api.clocks import Ticking
from db.api.matches.matches import MovedOn, Outcome, PositionKeys, SecondGame, StoredMatch, Turns
from db.api.places import DiscordId
from db.api.posts import PostKind
from db.models import PLAYING, RUNNING, AwardRow, MatchRow, MomentRow, PostRow, SeatRow
from db.processes.notifications import Subject
from db.stores.achievements import store_awards
from db.stores.base import HIGHEST, StorePart, run_at_once, whole_matches
from db.stores.matches.in_play import append_entry, read_match
from db.stores.matches.positions import columns
from db.stores.posts import add_post, change_post
from db.stores.proposals import close
from db.stores.standings.ratings.rate import rate_match
from db.stores.standings.ratings.recompute import revert
from rules.core.game import Seat
from rules.core.match import Ply


class MatchPart(StorePart):
    """The queries of db.api.matches.matches."""

    async def load(self, match: int) -> StoredMatch | None:
        if match > HIGHEST:
            return None
        known = self._remembered.get(match)
        stored = await self._sessions.read_at_once(lambda it: read_match(it, match, known))
        if stored is not None:
            self._remembered.put(stored)
        return stored

    def recall(self, match: int) -> StoredMatch | None:
        known = self._remembered.get(match)
        # What belongs to another process is changed there, and nobody tells us.
        return known if known is not None and self._sessions.ownership.owns(known.place.guild) else None

    def forget_matches(self, stale: Callable[[StoredMatch], bool]) -> None:
        self._remembered.forget(stale)

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
        then: SecondGame | None = None,
        turns: Turns | None = None,
        position: PositionKeys | None = None,
    ) -> StoredMatch:
        known = self._remembered.get(match)

        def enter(connection: Connection) -> StoredMatch:
            entered = append_entry(connection, known, match, plies, ply, at, salt, ticking, turns, position)
            self._tell(connection, Subject.MATCH, match, entered.place.guild)
            return entered

        if outcomes is None and proposal is None and then is None:
            stored = await self._sessions.write_at_once(enter)
        else:
            async with self._sessions.write() as session:
                first = None if outcomes is None else await _first_game(session, match)
                await run_at_once(session, enter)
                row = await _match(session, match)
                if proposal is not None:
                    await close(session, proposal, Answer.ACCEPTED, at)
                if outcomes is not None:
                    await _end(session, row, at, outcomes, awards)
                    if ranks is not None and (first is None or first.void is None):
                        await rate_match(session, row, ranks, at)
                if (then is not None) != (outcomes is not None and row.games == 2 and first is None):
                    raise ValueError(
                        f"A second game begins when the first of two ends, but not after {match}."
                    )
                if then is not None:
                    await _begin_second(session, row, then, at)
                await session.flush()
                ended = await run_at_once(session, lambda it: read_match(it, match, known))
                assert ended is not None
                stored = ended
        self._remembered.put(stored)
        return stored

    async def break_off(self, match: int, plies: int, ply: Ply, at: datetime, reason: str) -> None:
        async with self._sessions.write() as session:
            row = await _match(session, match)
            due = row.turns
            await run_at_once(
                session, lambda it: append_entry(it, None, match, plies, ply, at, None, None, due, None)
            )
            row.finished_at, row.void, row.voided_at = at, reason, at
            await _announce(session, row, PostKind.RESULT, at)
            await self._tell_of_match(session, row)
            await session.execute(
                update(SeatRow),
                [
                    {
                        "match_id": match,
                        "seat": seat,
                        "finished_at": at,
                        "deadline": None,
                        "remind_at": None,
                        "faced": None,
                    }
                    for seat in range(row.players)
                ],
            )

    async def void(self, match: int, at: datetime, reason: str) -> None:
        async with self._sessions.write() as session:
            row = await _match(session, match)
            if row.finished_at is None or row.void is not None:
                raise MovedOn(f"match {match} has no result")
            row.void, row.voided_at = reason, at
            for where in VOID_ANNOUNCED:
                await _announce(session, row, PostKind.VOID, at, where)
            await change_board(session, match, at)
            second = await _second_game(session, match)
            if second is not None:
                await change_board(session, second, at)
            await self._tell_of_match(session, row)
            await session.execute(update(SeatRow).where(SeatRow.match_id == match).values(outcome=None))
            await session.execute(delete(AwardRow).where(AwardRow.match_id == match))
            await session.execute(delete(MomentRow).where(MomentRow.match_id == match))
            await session.flush()
            rated = match if second is None else second
            await run_at_once(session, lambda it: revert(it, rated, at))

    async def take_hint(self, match: int, plies: int, seat: Seat) -> None:
        async with self._sessions.write() as session:
            row = await _match(session, match)
            if row.finished_at is not None or row.plies != plies:
                raise MovedOn(f"match {match} is not at ply {plies}")
            theirs = SeatRow.match_id == match, SeatRow.seat == seat
            await session.execute(update(SeatRow).where(*theirs).values(hinted=True))
            await change_board(session, match)

    async def second_game(self, match: int) -> int | None:
        async with self._sessions.read() as session:
            return await _second_game(session, match)

    async def move(self, match: int, channel: DiscordId, home: DiscordId | None) -> None:
        async with self._sessions.write() as session:
            row = await _match(session, match)
            row.channel, row.home = channel, home
            unposted = PostRow.subject == match, PostRow.kind == PostKind.BOARD, PostRow.message.is_(None)
            await session.execute(update(PostRow).where(*unposted).values(channel=channel))

    async def running(
        self,
        *,
        user: DiscordId | None = None,
        channel: DiscordId | None = None,
        guild: DiscordId | None = None,
    ) -> list[StoredMatch]:
        query = whole_matches().where(RUNNING).order_by(MatchRow.started_at, MatchRow.id)
        if user is not None:
            theirs = select(SeatRow.match_id).where(SeatRow.user_id == user, PLAYING)
            query = query.where(MatchRow.id.in_(theirs))
        if channel is not None:
            query = query.where(MatchRow.channel == channel)
        if guild is not None:
            query = query.where(MatchRow.guild == guild)
        return await self._matches(query)

    async def _tell_of_match(self, session: AsyncSession, row: MatchRow) -> None:
        """Tell the process that owns the server of a match that it has changed."""
        match, guild = row.id, row.guild
        await run_at_once(session, lambda it: self._tell(it, Subject.MATCH, match, guild))

    async def _matches(self, query: Select[MatchRow]) -> list[StoredMatch]:
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]


VOID_ANNOUNCED = ("here", "results")
"""The keys of the announcements of a reverted result: in the channel of the game, and in that of results."""


async def add_board(session: AsyncSession, row: MatchRow, at: datetime) -> None:
    """Add the board of a new match to the outbox."""
    match, guild, channel = row.id, row.guild, row.channel
    await run_at_once(session, lambda it: add_post(it, PostKind.BOARD, match, guild, channel, at))


async def change_board(session: AsyncSession, match: int, at: datetime | None = None) -> None:
    """Have the board of a match drawn again."""
    await run_at_once(session, lambda it: change_post(it, PostKind.BOARD, match, at))


async def _announce(
    session: AsyncSession, row: MatchRow, kind: PostKind, at: datetime, key: str = ""
) -> None:
    """Have the end of a match announced, if the match is in a server."""
    match, guild, channel = row.id, row.guild, row.channel
    if guild is not None:
        await run_at_once(session, lambda it: add_post(it, kind, match, guild, channel, at, key))


async def _match(session: AsyncSession, match: int) -> MatchRow:
    """Return the row of a match, locked until the transaction ends."""
    row = await session.get(MatchRow, match, with_for_update=True)
    if row is None:
        raise LookupError(f"there is no match {match}")
    return row


async def _first_game(session: AsyncSession, match: int) -> MatchRow | None:
    """Return the first game, if this match is the second of two, locked until the transaction ends.

    It is locked before the second, in the order of ids, as whoever locks several matches does.
    """
    first = await session.scalar(select(MatchRow.first_game).where(MatchRow.id == match))
    return None if first is None else await _match(session, first)


async def _second_game(session: AsyncSession, match: int) -> int | None:
    return await session.scalar(select(MatchRow.id).where(MatchRow.first_game == match))


async def _end(
    session: AsyncSession,
    row: MatchRow,
    at: datetime,
    outcomes: Sequence[Outcome],
    awards: Sequence[Award],
) -> None:
    """Store the result of a match, its announcement, and the achievements that it proves."""
    if len(outcomes) != row.players:
        raise ValueError(f"{row.players} seats cannot have {len(outcomes)} outcomes.")
    row.finished_at = at
    await session.execute(
        update(SeatRow),
        [
            {"match_id": row.id, "seat": seat, "outcome": outcome, "finished_at": at}
            for seat, outcome in enumerate(outcomes)
        ],
    )
    await store_awards(session, row.id, at, awards)
    await _announce(session, row, PostKind.RESULT, at)


async def _begin_second(session: AsyncSession, first: MatchRow, then: SecondGame, at: datetime) -> int:
    """Begin the second game of two, with swapped seats and all else as in the first. Return its id."""
    query = select(SeatRow.user_id).where(SeatRow.match_id == first.id).order_by(SeatRow.seat.desc())
    users = (await session.scalars(query)).all()
    row = MatchRow(
        game=first.game,
        options=first.options,
        players=first.players,
        version=then.version,
        guild=first.guild,
        channel=first.channel,
        home=first.home,
        plies=0,
        time_control=first.time_control,
        rated=first.rated,
        games=first.games,
        first_game=first.id,
        started_at=at,
        seats=[
            SeatRow(seat=seat, user_id=user, clock=clock)
            for seat, (user, clock) in enumerate(zip_longest(users, then.clocks))
        ],
        **columns(then.position, 0),
    )
    session.add(row)
    await session.flush()
    await add_board(session, row, at)
    return row.id
