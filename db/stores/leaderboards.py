"""Leaderboards in the database: a page begins at a place in an index, and a rank is a sum over the tallies.

So neither costs more for a board with many members: the one reads the rows it shows, the other one row for every score
that somebody holds.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Select, case, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.leaderboards import Era, Mark, PageTurn, Ranked, Standings
from db.api.places import DiscordId
from db.api.ratings import ALWAYS, EVERYWHERE, TOGETHER, Leaderboard, Rating
from db.models import LISTED, RatingRow, TallyRow
from db.rating_math.boards import periods_of, week_of
from db.stores.base import Kept
from db.stores.members import computers

NEIGHBOURS = 1
"""Rows shown above and below the own one where it is not on the page."""


class LeaderboardStore(Kept):
    """Who stands where."""

    async def leaderboard(
        self,
        game: str | None,
        guild: DiscordId | None,
        era: Era,
        at: datetime,
        viewer: DiscordId,
        limit: int,
        turn: PageTurn = PageTurn.FIRST,
        mark: Mark = (0, 0),
    ) -> Standings:
        """A page of at most `limit` rows of a board: of a game or (None) all together, of a server or everywhere.

        `turn` says which page: the rows right before or after `mark`, or with `viewer` in their middle. Where that is
        beyond an end of the board it is the page at that end.
        """
        board = Leaderboard(_period(era, at), game or TOGETHER, guild or EVERYWHERE)
        async with self._sessions.read() as session:
            its = await _rating(session, board, viewer)
            own = its if its is not None and its.listed else None
            rows = await _page(session, board, own, limit, turn, mark)
            higher = bool(rows) and bool(await _above(session, board, _mark(rows[0]), 1))
            lower = bool(rows) and bool(await _below(session, board, _mark(rows[-1]), 1))
            around: list[Rating] = []
            if own is not None and own not in rows:
                above = await _above(session, board, _mark(own), NEIGHBOURS)
                below = await _below(session, board, _mark(own), NEIGHBOURS)
                around = [it for it in (*above, own, *below) if it not in rows]
            shown = await _placed(session, board, week_of(at), rows)
            near = await _placed(session, board, week_of(at), around)
            members = await session.scalar(_tallied(board, func.coalesce(func.sum(TallyRow.members), 0)))
        return Standings(board, shown, near, higher, lower, members or 0, own is not its)


def _period(era: Era, at: datetime) -> str:
    always, month, week = periods_of(at)
    return {Era.ALWAYS: always, Era.SEASON: month, Era.WEEK: week}[era]


def _mark(rating: Rating) -> Mark:
    return rating.held.skill.score, rating.user


async def _rating(session: AsyncSession, board: Leaderboard, user: DiscordId) -> Rating | None:
    key = {"period": board.period, "game": board.game, "guild": board.guild, "user_id": user}
    row = await session.get(RatingRow, key)
    return None if row is None else row.value()


async def _page(
    session: AsyncSession, board: Leaderboard, own: Rating | None, limit: int, turn: PageTurn, mark: Mark
) -> list[Rating]:
    if turn is PageTurn.FORWARD and (rows := await _below(session, board, mark, limit)):
        return rows
    if turn is PageTurn.FORWARD:
        return [*await _above(session, board, mark, limit - 1), *await _at(session, board, mark)]
    if turn is PageTurn.BACK and len(rows := await _above(session, board, mark, limit)) == limit:
        return rows
    if turn is PageTurn.MINE and own is not None:
        above = await _above(session, board, _mark(own), limit // 2)
        return [*above, own, *await _below(session, board, _mark(own), limit - 1 - len(above))]
    return await _ratings(session, _rows(board).order_by(*_BEST_FIRST).limit(limit))


_ORDER = (RatingRow.score, RatingRow.user_id)
_BEST_FIRST = tuple(column.desc() for column in _ORDER)


def _rows(board: Leaderboard) -> Select[RatingRow]:
    return select(RatingRow).where(
        LISTED, RatingRow.period == board.period, RatingRow.game == board.game, RatingRow.guild == board.guild
    )


async def _above(session: AsyncSession, board: Leaderboard, mark: Mark, limit: int) -> list[Rating]:
    """The rows right before a mark, the best first."""
    query = _rows(board).where(tuple_(*_ORDER) > mark).order_by(*_ORDER).limit(limit)
    return (await _ratings(session, query))[::-1]


async def _below(session: AsyncSession, board: Leaderboard, mark: Mark, limit: int) -> list[Rating]:
    return await _ratings(
        session, _rows(board).where(tuple_(*_ORDER) < mark).order_by(*_BEST_FIRST).limit(limit)
    )


async def _at(session: AsyncSession, board: Leaderboard, mark: Mark) -> list[Rating]:
    found = await _rating(session, board, mark[1])
    return [] if found is None or not found.listed or _mark(found) != mark else [found]


async def _ratings(session: AsyncSession, query: Select[RatingRow]) -> list[Rating]:
    return [row.value() for row in await session.scalars(query)]


async def _placed(
    session: AsyncSession, board: Leaderboard, week: int, ratings: Collection[Rating]
) -> tuple[Ranked, ...]:
    """The ratings with their places now and when the week began."""
    if not ratings:
        return ()
    lasting = board.period == ALWAYS
    were = [_was(rating, week) if lasting else None for rating in ratings]
    scores = [_mark(rating)[0] for rating in ratings]
    now, before = await _ranks(session, board, week, {*scores, *(was for was in were if was is not None)})
    programs = await computers(session, [rating.user for rating in ratings])
    return tuple(
        Ranked(now[score], rating, None if was is None else before[was], rating.user in programs)
        for rating, score, was in zip(ratings, scores, were, strict=True)
    )


def _was(rating: Rating, week: int) -> int | None:
    """The score with which a member went into a week."""
    return rating.held.was if rating.held.week == week else rating.held.skill.score


async def _ranks(
    session: AsyncSession, board: Leaderboard, week: int, scores: Iterable[int]
) -> tuple[dict[int, int], dict[int, int]]:
    """The place that each of these scores has now, and the one that it had when the week began."""
    falling = sorted(scores, reverse=True)
    past = case((TallyRow.week == week, TallyRow.members - TallyRow.gained), else_=TallyRow.members)
    sums = [func.coalesce(func.sum(column), 0) for column in (TallyRow.members, past)]
    base = (await session.execute(_tallied(board, *sums).where(TallyRow.score > falling[0]))).one()
    between = _tallied(board, TallyRow.score, TallyRow.members, past).where(
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


def _tallied(board: Leaderboard, *columns: Any) -> Select[Any]:
    return select(*columns).where(
        TallyRow.period == board.period, TallyRow.game == board.game, TallyRow.guild == board.guild
    )
