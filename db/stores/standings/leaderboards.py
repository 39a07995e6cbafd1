"""Leaderboards in the database: a page begins at a position in an index, and a rank is a sum over the tallies.

So a page of a large leaderboard costs little more: it reads the rows that it shows, and one tally for each score.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Select, case, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.places import DiscordId
from db.api.standings.leaderboards import Mark, PageTurn, PeriodKind, Ranked, Standings
from db.api.standings.ratings import ALWAYS, EVERYWHERE, TOGETHER, Leaderboard, Rating
from db.models import LISTED, RatingRow, TallyRow
from db.rating_math.leaderboards import periods_of, week_of
from db.stores.base import StorePart, run_at_once
from db.stores.members.members import computers
from db.stores.standings.ratings.recompute import job_is_open

NEIGHBOURS = 1
"""The number of rows shown above and below the viewer's own if that is not on the page."""


class LeaderboardPart(StorePart):
    """The queries of db.api.standings.leaderboards.LeaderboardStore."""

    async def leaderboard(
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
