"""Leaderboards in the database: a page begins at a position in an index, and a rank is a sum over the tallies.

So a page of a large leaderboard costs little more: it reads the rows that it shows, and one tally for each score.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, case, delete, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from db.models import LISTED, RatingRow, TallyRow
from db.rating_math import expired, periods_of, week_of
from db.stores.base import StorePart, run_at_once
from db.stores.members import computers
from db.stores.standings.recompute import job_is_open
from db.stores.standings.rows import own_ratings
from db.values.places import DiscordId
from db.values.standings import (
    ALWAYS,
    EVERYWHERE,
    TOGETHER,
    ExpiredLeaderboards,
    Leaderboard,
    Mark,
    PageTurn,
    PeriodKind,
    Ranked,
    Rating,
    Standings,
)

NEIGHBOURS = 1
"""The number of rows shown above and below the viewer's own if that is not on the page."""

_Table = type[RatingRow] | type[TallyRow]

_KEYS: Mapping[_Table, Sequence[InstrumentedAttribute[Any]]] = {
    RatingRow: (RatingRow.guild, RatingRow.period, RatingRow.game, RatingRow.user_id),
    TallyRow: (TallyRow.guild, TallyRow.period, TallyRow.game, TallyRow.score),
}


class LeaderboardStore(StorePart):
    """Leaderboards, page by page."""

    async def page(
        self,
        game: str | None,
        guild: DiscordId | None,
        period_kind: PeriodKind,
        at: datetime,
        viewer: DiscordId,
        limit: int,
        turn: PageTurn = PageTurn.FIRST,
        mark: Mark = (0, 0),
    ) -> Standings:
        """Return a page of at most `limit` rows. `game` None means all games, `guild` None the global leaderboard.

        `turn` chooses the page: the rows right before or after `mark`, or with `viewer` in their middle. Beyond an end
        of the leaderboard it is the page at that end.
        """
        leaderboard = Leaderboard(_period(period_kind, at), game or TOGETHER, guild or EVERYWHERE)
        async with self._sessions.read() as session:
            its = await _rating(session, leaderboard, viewer)
            own = its if its is not None and its.listed else None
            rows = await _page(session, leaderboard, own, limit, turn, mark)
            higher = bool(rows) and bool(await _above(session, leaderboard, _mark(rows[0]), 1))
            lower = bool(rows) and bool(await _below(session, leaderboard, _mark(rows[-1]), 1))
            around: list[Rating] = []
            if own is not None and own not in rows:
                above = await _above(session, leaderboard, _mark(own), NEIGHBOURS)
                below = await _below(session, leaderboard, _mark(own), NEIGHBOURS)
                around = [it for it in (*above, own, *below) if it not in rows]
            shown = await _ranked(session, leaderboard, week_of(at), rows)
            near = await _ranked(session, leaderboard, week_of(at), around)
            members = await session.scalar(
                _tallied(leaderboard, func.coalesce(func.sum(TallyRow.members), 0))
            )
            recomputing = await run_at_once(session, job_is_open)
        return Standings(leaderboard, shown, near, higher, lower, members or 0, own is not its, recomputing)

    async def expired(self, at: datetime) -> Sequence[ExpiredLeaderboards]:
        """Return the stored leaderboards of months and weeks before the last one, as seen at `at`."""
        async with self._sessions.read() as session:
            found = {
                (guild, period) for table in _KEYS for guild, period in await session.execute(_periods(table))
            }
        return [ExpiredLeaderboards(guild, period) for guild, period in sorted(found) if expired(period, at)]

    async def delete_expired(self, leaderboards: ExpiredLeaderboards, limit: int) -> int:
        """Delete at most `limit` rows of each kind of these leaderboards. Return how many rows were deleted."""
        gone = 0
        async with self._sessions.write() as session:
            await run_at_once(session, own_ratings)
            for table, key in _KEYS.items():
                theirs = select(*key).where(
                    table.guild == leaderboards.guild, table.period == leaderboards.period
                )
                made = await session.execute(
                    delete(table).where(tuple_(*key).in_(theirs.limit(limit))).returning(key[-1]),
                    execution_options={"synchronize_session": False},
                )
                gone += len(made.all())
        return gone


def _period(period_kind: PeriodKind, at: datetime) -> str:
    always, month, week = periods_of(at)
    return {PeriodKind.ALWAYS: always, PeriodKind.SEASON: month, PeriodKind.WEEK: week}[period_kind]


def _mark(rating: Rating) -> Mark:
    return rating.held.skill.score, rating.user


async def _rating(session: AsyncSession, leaderboard: Leaderboard, user: DiscordId) -> Rating | None:
    key = {
        "period": leaderboard.period,
        "game": leaderboard.game,
        "guild": leaderboard.guild,
        "user_id": user,
    }
    row = await session.get(RatingRow, key)
    return None if row is None else row.value()


async def _page(
    session: AsyncSession,
    leaderboard: Leaderboard,
    own: Rating | None,
    limit: int,
    turn: PageTurn,
    mark: Mark,
) -> list[Rating]:
    if turn is PageTurn.FORWARD and (rows := await _below(session, leaderboard, mark, limit)):
        return rows
    if turn is PageTurn.FORWARD:
        return [*await _above(session, leaderboard, mark, limit - 1), *await _at(session, leaderboard, mark)]
    if turn is PageTurn.BACK and len(rows := await _above(session, leaderboard, mark, limit)) == limit:
        return rows
    if turn is PageTurn.MINE and own is not None:
        above = await _above(session, leaderboard, _mark(own), limit // 2)
        return [*above, own, *await _below(session, leaderboard, _mark(own), limit - 1 - len(above))]
    return await _ratings(session, _rows(leaderboard).order_by(*_BEST_FIRST).limit(limit))


_ORDER = (RatingRow.score, RatingRow.user_id)
_BEST_FIRST = tuple(column.desc() for column in _ORDER)


def _rows(leaderboard: Leaderboard) -> Select[RatingRow]:
    return select(RatingRow).where(
        LISTED,
        RatingRow.period == leaderboard.period,
        RatingRow.game == leaderboard.game,
        RatingRow.guild == leaderboard.guild,
    )


async def _above(session: AsyncSession, leaderboard: Leaderboard, mark: Mark, limit: int) -> list[Rating]:
    """Return the rows right before a mark, the best first."""
    query = _rows(leaderboard).where(tuple_(*_ORDER) > mark).order_by(*_ORDER).limit(limit)
    return (await _ratings(session, query))[::-1]


async def _below(session: AsyncSession, leaderboard: Leaderboard, mark: Mark, limit: int) -> list[Rating]:
    return await _ratings(
        session, _rows(leaderboard).where(tuple_(*_ORDER) < mark).order_by(*_BEST_FIRST).limit(limit)
    )


async def _at(session: AsyncSession, leaderboard: Leaderboard, mark: Mark) -> list[Rating]:
    found = await _rating(session, leaderboard, mark[1])
    return [] if found is None or not found.listed or _mark(found) != mark else [found]


async def _ratings(session: AsyncSession, query: Select[RatingRow]) -> list[Rating]:
    return [row.value() for row in await session.scalars(query)]


async def _ranked(
    session: AsyncSession, leaderboard: Leaderboard, week: int, ratings: Collection[Rating]
) -> tuple[Ranked, ...]:
    """Return the ratings with their ranks now and at the beginning of the week."""
    if not ratings:
        return ()
    of_all_time = leaderboard.period == ALWAYS
    were = [_was(rating, week) if of_all_time else None for rating in ratings]
    scores = [_mark(rating)[0] for rating in ratings]
    now, before = await _ranks(
        session, leaderboard, week, {*scores, *(was for was in were if was is not None)}
    )
    programs = await computers(session, [rating.user for rating in ratings])
    return tuple(
        Ranked(now[score], rating, None if was is None else before[was], rating.user in programs)
        for rating, score, was in zip(ratings, scores, were, strict=True)
    )


def _was(rating: Rating, week: int) -> int | None:
    """Return the score of a member at the beginning of a week."""
    return rating.held.was if rating.held.week == week else rating.held.skill.score


async def _ranks(
    session: AsyncSession, leaderboard: Leaderboard, week: int, scores: Iterable[int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the rank that each of these scores has now, and the rank that it had at the beginning of the week."""
    falling = sorted(scores, reverse=True)
    past = case((TallyRow.week == week, TallyRow.members - TallyRow.gained), else_=TallyRow.members)
    sums = [func.coalesce(func.sum(column), 0) for column in (TallyRow.members, past)]
    base = (await session.execute(_tallied(leaderboard, *sums).where(TallyRow.score > falling[0]))).one()
    between = _tallied(leaderboard, TallyRow.score, TallyRow.members, past).where(
        TallyRow.score <= falling[0], TallyRow.score > falling[-1]
    )
    tallies = list(await session.execute(between.order_by(TallyRow.score.desc())))
    now: dict[int, int] = {}
    before: dict[int, int] = {}
    above, was_above = int(base[0]), int(base[1])
    for score in falling:
        while tallies and tallies[0][0] > score:
            _, members, were = tallies.pop(0)
            above, was_above = above + members, was_above + were
        now[score], before[score] = 1 + above, 1 + was_above
    return now, before


def _tallied(leaderboard: Leaderboard, *columns: Any) -> Select[Any]:
    return select(*columns).where(
        TallyRow.period == leaderboard.period,
        TallyRow.game == leaderboard.game,
        TallyRow.guild == leaderboard.guild,
    )


def _periods(table: _Table) -> Select[DiscordId, str]:
    """Select the distinct servers and periods: one lookup in the index for each, not a scan of all rows."""
    guilds = select(func.min(table.guild).label("guild")).cte("guilds", recursive=True)
    next_guild = select(func.min(table.guild)).where(table.guild > guilds.c.guild).scalar_subquery()
    guilds = guilds.union_all(select(next_guild).where(guilds.c.guild.is_not(None)))
    first = select(func.min(table.period)).where(table.guild == guilds.c.guild, table.period > ALWAYS)
    periods = select(guilds.c.guild, first.scalar_subquery().label("period")).cte("periods", recursive=True)
    following = select(func.min(table.period)).where(
        table.guild == periods.c.guild, table.period > periods.c.period
    )
    periods = periods.union_all(
        select(periods.c.guild, following.scalar_subquery()).where(periods.c.period.is_not(None))
    )
    return select(periods.c.guild, periods.c.period).where(periods.c.period.is_not(None))
