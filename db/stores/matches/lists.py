"""Lists of matches: running, finished, followed, and those that wait for their players for a long time."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from db.models import (
    FINISHED,
    PLAYED,
    PLAYING,
    RUNNING,
    FollowerRow,
    ForgottenRow,
    MatchRow,
    MemberRow,
    PlyRow,
    PostRow,
    SeatRow,
)
from db.stores.base import StorePart, add_members, run_at_once, upsert
from db.stores.matches.rows import COPIED, read_matches
from db.stores.posts import queue_messages
from db.types import Options
from db.values.matches import (
    FinishedMatch,
    ForgottenMatch,
    ListedMatch,
    Outcome,
    Page,
    Panel,
    Search,
    StoredMatch,
    Turns,
    viewer_of,
)
from db.values.members import COMPUTER_PLAYERS
from db.values.places import DiscordId, Place
from db.values.posts import FOLLOWED_END, FOLLOWED_MOVES, News, Occasion, PostKind
from rules.core.match import Setup

_TURNS = (
    update(MatchRow)
    .where(MatchRow.id == bindparam("match"), MatchRow.plies == bindparam("known"))
    .values(turns=bindparam("now"))
)


class MatchListStore(StorePart):
    """The lists of running matches."""

    async def running(
        self,
        *,
        users: Collection[DiscordId] | None = None,
        channel: DiscordId | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> list[ListedMatch]:
        """Return the matches that are not over, the oldest first: those in which any of `users` plays, in a channel.

        Each argument that is given narrows the search; without `users` private matches are left out. At most `limit`
        matches are returned. With `after`, they are ordered by their ids, which are higher.
        """
        where: list[ColumnElement[bool]] = [RUNNING]
        if users is not None:
            theirs = select(SeatRow.match_id).where(SeatRow.user_id.in_(users), PLAYING)
            where.append(MatchRow.id.in_(theirs))
        if channel is not None:
            where.append(MatchRow.channel == channel)
        if users is None:
            where.append(MatchRow.private.is_(False))
        order: tuple[Any, ...] = (MatchRow.started_at, MatchRow.id)
        if after is not None:
            where.append(MatchRow.id > after)
            order = (MatchRow.id,)
        matches = (
            select(
                *(MatchRow.id, MatchRow.game, MatchRow.options, MatchRow.players),
                *(
                    MatchRow.guild,
                    MatchRow.channel,
                    MatchRow.home,
                    MatchRow.plies,
                    MatchRow.started_at,
                    MatchRow.rated,
                ),
                *(PostRow.channel.label("panel_channel"), PostRow.message, PostRow.progress, MatchRow.turns),
                MatchRow.private,
                COPIED.label("copied"),
            )
            .outerjoin(PostRow, and_(PostRow.kind == PostKind.BOARD, PostRow.subject == MatchRow.id))
            .where(*where)
            .order_by(*order)
            .limit(limit)
        )
        seats = (
            select(SeatRow.match_id, SeatRow.user_id, SeatRow.deadline)
            .where(SeatRow.match_id.in_(matches.with_only_columns(MatchRow.id)))
            .order_by(SeatRow.match_id, SeatRow.seat)
        )
        async with self._sessions.read() as session:
            found = (await session.execute(matches)).all()
            players = (await session.execute(seats)).all() if found else ()
        by_match = defaultdict(list)
        for match, player, deadline in players:
            by_match[match].append((player, deadline))
        return [_listed(it, by_match[it.id]) for it in found]

    async def running_in(self, channel: DiscordId) -> list[tuple[int, str]]:
        """Return the id and the game of each match that everybody sees in a channel, the oldest first."""
        query = (
            select(MatchRow.id, MatchRow.game)
            .where(RUNNING, MatchRow.channel == channel, MatchRow.private.is_(False))
            .order_by(MatchRow.started_at, MatchRow.id)
        )
        return [(match, game) for match, game in await self._rows(query)]

    async def without_turns(self, after: int, limit: int) -> list[StoredMatch]:
        """Return running matches with plies of which an earlier version did not store whose turn it is.

        They are ordered by their ids, which are higher than `after`; at most `limit`.
        """
        unknown = RUNNING, MatchRow.plies > 0, MatchRow.turns.is_(None), MatchRow.id > after
        query = select(MatchRow.id).where(*unknown).order_by(MatchRow.id).limit(limit)
        return await self._sessions.read_at_once(lambda it: read_matches(it, it.scalars(query).all()))

    async def note_turns(self, noted: Iterable[tuple[int, int, Turns]]) -> None:
        """Store whose turn it is in matches, each given by its id and its number of plies, unless that has changed."""
        rows = [{"match": match, "known": plies, "now": turns} for match, plies, turns in noted]
        if rows:
            await self._sessions.write_at_once(lambda it: it.execute(_TURNS, rows))


def _listed(row: Any, players: Sequence[tuple[DiscordId, datetime | None]]) -> ListedMatch:
    """Return a match of a list from its row and from its players and their deadlines by seat."""
    users = tuple(player for player, _ in players)
    shown = row.message is not None and not row.private
    return ListedMatch(
        id=row.id,
        setup=Setup(row.game, row.options, row.players),
        place=Place(row.guild, row.channel, row.home, viewer_of(users) if row.private else None),
        users=users,
        plies=row.plies,
        started_at=row.started_at,
        rated=row.rated,
        panel=Panel(row.panel_channel, row.message, row.progress) if shown else None,
        deadlines=tuple(deadline for _, deadline in players),
        turns=row.turns,
        copied=row.copied,
    )


Order = tuple[InstrumentedAttribute[Any], InstrumentedAttribute[Any]]
"""The columns that order a history: when a match finished, then its id."""


class HistoryStore(StorePart):
    """The queries for finished matches."""

    async def last_computer(self, user: DiscordId, game: str) -> tuple[DiscordId, Options] | None:
        """Return the computer player of the newest match of a game that `user` played with one, and its options."""
        theirs, others = aliased(SeatRow), aliased(SeatRow)
        query = (
            select(others.user_id, MatchRow.options)
            .join(theirs, theirs.match_id == others.match_id)
            .join(MatchRow, MatchRow.id == others.match_id)
            .where(theirs.user_id == user, others.user_id.in_(COMPUTER_PLAYERS), MatchRow.game == game)
            .order_by(MatchRow.id.desc(), others.seat)
            .limit(1)
        )
        return next(((it.user_id, it.options) for it in await self._rows(query)), None)

    async def page(self, search: Search, limit: int, *, mark: int | None = None, newer: bool = False) -> Page:
        """Return at most `limit` finished matches, those that finished last first.

        With `mark`, the id of a match, the page begins right after that match, or with `newer` ends right before it.
        """
        async with self._sessions.read() as session:
            position = None if mark is None else await _position(session, search, mark)
            newer = newer and position is not None
            ids = await _found(session, search, limit + 1, position, newer=newer)
            more, ids = len(ids) > limit, ids[:limit]
            if newer:
                ids.reverse()
            matches = tuple(await run_at_once(session, read_matches, ids))
        behind = position is not None
        return Page(matches, newer=more if newer else behind, older=behind if newer else more)

    async def last(self, search: Search, limit: int) -> list[FinishedMatch]:
        """Return at most `limit` finished matches, those that finished last first. Their logs are not read."""
        async with self._sessions.read() as session:
            wanted = await _found(session, search, limit)
            rows = await session.execute(
                select(MatchRow.id, MatchRow.game, MatchRow.finished_at, SeatRow.user_id, SeatRow.outcome)
                .join(SeatRow, SeatRow.match_id == MatchRow.id)
                .where(MatchRow.id.in_(wanted))
                .order_by(SeatRow.seat)
            )
            seats = defaultdict(list)
            for row in rows:
                seats[row.id].append(row)
        return [_finished(seats[match]) for match in wanted]

    async def ended(self, user: DiscordId, since: datetime, until: datetime, limit: int) -> list[StoredMatch]:
        """Return at most `limit` matches of `user` that ended after `since` and not after `until`, the newest first."""
        query = (
            select(SeatRow.match_id)
            .where(PLAYED, SeatRow.user_id == user)
            .where(SeatRow.finished_at > since, SeatRow.finished_at <= until)
            .order_by(SeatRow.finished_at.desc(), SeatRow.match_id.desc())
            .limit(limit)
        )
        return await self._sessions.read_at_once(lambda it: read_matches(it, it.scalars(query).all()))

    async def after(self, match: int, limit: int) -> list[StoredMatch]:
        """Return at most `limit` finished matches of all places with higher ids than `match`, in the order of ids."""
        query = select(MatchRow.id).where(FINISHED, MatchRow.id > match).order_by(MatchRow.id).limit(limit)
        return await self._sessions.read_at_once(lambda it: read_matches(it, it.scalars(query).all()))


def _finished(seats: Sequence[Any]) -> FinishedMatch:
    """Return a match from its rows, one for each seat."""
    first = seats[0]
    outcomes = tuple(row.outcome for row in seats if row.outcome is not None)
    return FinishedMatch(
        first.id, first.game, first.finished_at, tuple(row.user_id for row in seats), outcomes or None
    )


async def _position(session: AsyncSession, search: Search, mark: int) -> tuple[datetime, int] | None:
    """Return the position of a finished match at the place of a search in the order, or None."""
    query = select(MatchRow.finished_at).where(MatchRow.id == mark, _place(search))
    at = await session.scalar(query)
    return None if at is None else (at, mark)


def _place(search: Search) -> ColumnElement[bool]:
    if search.guild is None:
        return and_(MatchRow.guild.is_(None), MatchRow.channel == search.channel)
    return MatchRow.guild == search.guild


async def _found(
    session: AsyncSession,
    search: Search,
    limit: int,
    position: tuple[datetime, int] | None = None,
    *,
    newer: bool = False,
) -> list[int]:
    """Return the ids of at most `limit` matches of a search, those that finished last first.

    With a position they are beyond it: earlier, or with `newer` later, and then those that finished first come first.
    """
    found = set[tuple[datetime, int]]()
    for query, order in _queries(search):
        if position is not None:
            query = query.where(tuple_(*order) > position if newer else tuple_(*order) < position)
        ascending = [column.asc() if newer else column.desc() for column in order]
        rows = await session.execute(query.order_by(*ascending).limit(limit))
        found.update((at, match) for at, match in rows if at is not None)
    return [match for _, match in sorted(found, reverse=not newer)[:limit]]


def _queries(search: Search) -> list[tuple[Select[datetime | None, int], Order]]:
    """Return the queries for the ends and ids of the matches that are searched for, and the columns that order them."""
    where = [_place(search)]
    if search.game is not None:
        where.append(MatchRow.game == search.game)
    order: Order = (MatchRow.finished_at, MatchRow.id)
    if search.member is None:
        return [(select(*order).where(FINISHED, *where), order)]
    if search.opponent is not None:
        where.append(_played(search.opponent))
    order = (SeatRow.finished_at, SeatRow.match_id)
    of_seats = select(*order).join(MatchRow, MatchRow.id == SeatRow.match_id).where(PLAYED, *where)
    own, left = (
        of_seats.where(SeatRow.user_id == search.member),
        of_seats.where(SeatRow.leaver == search.member),
    )
    if search.outcome is not None:
        own = own.where(SeatRow.outcome == search.outcome)
    match search.outcome:
        case None:
            return [(own, order), (left, order)]
        case Outcome.LOST:
            # Whoever has left has lost, whatever a computer player then reached in their seat.
            return [(own, order), (left.where(SeatRow.outcome.is_not(None)), order)]
        case _:
            return [(own, order)]


def _played(user: int) -> ColumnElement[bool]:
    """Return True if this user has, or had, a seat in the same match."""
    other = aliased(SeatRow)
    theirs = or_(other.user_id == user, other.leaver == user)
    return select(other.seat).where(other.match_id == SeatRow.match_id, theirs).exists()


class ForgottenStore(StorePart):
    """The matches that wait, and what their players were told."""

    async def due(
        self, bounds: Sequence[datetime], told_by: datetime, now: datetime, limit: int
    ) -> list[ForgottenMatch]:
        """Return matches of the served shards that have reached a stage which was not noted, the longest waiting first.

        Stage 1 is reached if the last entry is older than the first of the `bounds`, and so on. The last stage is
        reached only if the one before was noted by `told_by`. Casual games against computers have no stages. A match
        is not returned while one of its players is away.
        """
        last = (
            select(PlyRow.played_at)
            .where(PlyRow.match_id == MatchRow.id, PlyRow.ply == MatchRow.plies - 1)
            .scalar_subquery()
        )
        since = func.coalesce(last, MatchRow.started_at)
        told = case((ForgottenRow.plies == MatchRow.plies, ForgottenRow.stage), else_=0)
        final = len(bounds)
        warned = and_(told == final - 1, ForgottenRow.told_at <= told_by)
        stages = [(since < bounds[stage - 1], stage) for stage in range(final - 1, 0, -1)]
        stage = case((and_(since < bounds[-1], warned), final), *stages, else_=0)
        people = (
            select(func.count())
            .where(SeatRow.match_id == MatchRow.id, SeatRow.user_id.not_in(COMPUTER_PLAYERS))
            .scalar_subquery()
        )
        absent = (
            select(SeatRow.match_id)
            .join(MemberRow, MemberRow.user_id == SeatRow.user_id)
            .where(SeatRow.match_id == MatchRow.id, MemberRow.absent_until > now)
        )
        query = (
            select(MatchRow.id, MatchRow.plies, since.label("since"), stage.label("stage"))
            .outerjoin(ForgottenRow, ForgottenRow.match_id == MatchRow.id)
            .where(RUNNING, MatchRow.time_control.is_(None), MatchRow.started_at < bounds[0])
            .where(or_(ForgottenRow.match_id.is_(None), ForgottenRow.plies.is_not(None)))
            .where(since < bounds[0], stage > told, or_(MatchRow.rated, people > 1), ~absent.exists())
            .where(self._served(MatchRow.guild))
            .order_by(since, MatchRow.id)
            .limit(limit)
        )
        found = await self._rows(query)
        return [ForgottenMatch(it.id, it.plies, it.since, it.stage) for it in found]

    async def note(self, forgotten: ForgottenMatch, now: datetime) -> None:
        """Note that the players of a match were told of its stage."""
        told = {"plies": forgotten.plies, "stage": forgotten.stage, "told_at": now}
        async with self._sessions.write() as session:
            await upsert(session, ForgottenRow, {"match_id": forgotten.match}, told)


class FollowerStore(StorePart):
    """The members who are told how the matches of others go on."""

    async def follow(self, match: int, user: DiscordId, *, moves: bool) -> bool:
        """Let a member follow a match, with `moves` also its moves. Return False if it is over."""
        running = select(MatchRow.id).where(MatchRow.id == match, RUNNING).with_for_update(read=True)
        async with self._sessions.write() as session:
            if await session.scalar(running) is None:
                return False
            await add_members(session, [user])
            await upsert(session, FollowerRow, {"match_id": match, "user_id": user}, {"moves": moves})
        return True

    async def stop(self, match: int, user: DiscordId) -> bool:
        """Let a member no longer follow a match. Return False if they did not."""
        theirs = delete(FollowerRow).where(FollowerRow.match_id == match, FollowerRow.user_id == user)
        return bool(await self._write(theirs))

    async def forget(self, match: int) -> None:
        """Let nobody follow a match any more."""
        await self._write(delete(FollowerRow).where(FollowerRow.match_id == match))

    async def wants_moves(self, match: int, user: DiscordId) -> bool | None:
        """Return True if a member follows the moves of a match, False if only its end, and None if not at all."""
        theirs = FollowerRow.match_id == match, FollowerRow.user_id == user
        return await self._scalar(select(FollowerRow.moves).where(*theirs))

    async def count(self, user: DiscordId) -> int:
        """Return the number of matches that a member follows."""
        return await self._scalar(select(func.count()).where(FollowerRow.user_id == user)) or 0

    async def matches(self, user: DiscordId) -> list[StoredMatch]:
        """Return the matches that a member follows, by id."""
        theirs = (
            select(FollowerRow.match_id).where(FollowerRow.user_id == user).order_by(FollowerRow.match_id)
        )
        return await self._sessions.read_at_once(lambda it: read_matches(it, it.scalars(theirs).all()))

    async def tell_moves(self, match: int, guild: DiscordId | None, due_at: datetime) -> None:
        """Queue a direct message to all who follow the moves of a match, unless one is queued already."""
        theirs = select(FollowerRow.user_id).where(FollowerRow.match_id == match, FollowerRow.moves)
        news = News(Occasion.FOLLOWED, match, FOLLOWED_MOVES)

        def tell(connection: Connection) -> None:
            queue_messages(connection, connection.scalars(theirs).all(), guild, news, due_at)

        await self._sessions.write_at_once(tell)

    async def tell_end(self, match: int, guild: DiscordId | None, due_at: datetime) -> None:
        """Queue a direct message to all who follow a match that is over. They follow it no longer."""
        gone = delete(FollowerRow).where(FollowerRow.match_id == match).returning(FollowerRow.user_id)
        news = News(Occasion.FOLLOWED, match, FOLLOWED_END)

        def tell(connection: Connection) -> None:
            queue_messages(connection, connection.scalars(gone).all(), guild, news, due_at)

        await self._sessions.write_at_once(tell)
