"""Leaderboards and profiles in the database.

A page of a leaderboard begins at a position in an index, and a rank is a sum over the tallies. So a page of a large
leaderboard costs little more: it reads the rows that it shows, and one tally for each score.
One index holds a member's games in order with all columns that a profile needs (`ix_rated_seats_fared`). So profiles
are exact, and their cost depends on the number of games of the member, not of others.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, delete, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from db.models import LISTED, MatchRow, RatedSeatRow, RatingRow, SeatRow, TallyRow
from db.rating_math import expired, leaderboards_of, periods_of, week_of
from db.stores.base import StorePart, named, run_at_once
from db.stores.members import computers
from db.stores.standings.recompute import job_is_open
from db.stores.standings.rows import own_ratings
from db.values.matches import Outcome
from db.values.members import COMPUTER_PLAYERS
from db.values.places import DiscordId
from db.values.standings import (
    ALWAYS,
    EVERYWHERE,
    TOGETHER,
    Counts,
    Duels,
    ExpiredLeaderboards,
    Leaderboard,
    Mark,
    PageTurn,
    PeriodKind,
    Profile,
    Ranked,
    Rating,
    Runs,
    Standings,
)
from rules.core.game import Seat

NEIGHBOURS = 1
"""The number of rows shown above and below the viewer's own if that is not on the page."""

_Table = type[RatingRow] | type[TallyRow]

_KEYS: Mapping[_Table, Sequence[InstrumentedAttribute[Any]]] = {
    RatingRow: (RatingRow.guild, RatingRow.period, RatingRow.game, RatingRow.user_id),
    TallyRow: (TallyRow.guild, TallyRow.period, TallyRow.game, TallyRow.score),
}


class LeaderboardStore(StorePart):
    """The pages of leaderboards."""

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
    row = await session.get(RatingRow, {**named(leaderboard), "user_id": user})
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


POINTS = 60
"""The number of scores returned of a long history, not counting the first."""

Game = tuple[int, Seat | None, Outcome]
"""A match of a member, their seat in it and its outcome for them; in a two-game match they had both seats (None)."""


class ProfileStore(StorePart):
    """The results of members."""

    async def get(
        self, user: DiscordId, game: str | None, guild: DiscordId | None, games: Sequence[str]
    ) -> Profile:
        """Return the profile of a member. `game` None means all games, `guild` None everywhere.

        `games` are the keys of all games that there are.
        """
        leaderboard = Leaderboard(ALWAYS, game or TOGETHER, guild or EVERYWHERE)
        async with self._sessions.read() as session:
            ratings = await _seat_ratings(session, user, leaderboard.guild, games)
            own = next((it for it in ratings if it.leaderboard == leaderboard), None)
            if own is None:
                return Profile(ratings)
            rank, members = await _rank(session, own) if own.listed else (0, 0)
            computer = user in await computers(session, [user])
            its = await _games(session, user, leaderboard)
            scores = await _scores(session, own, [match for match, _, _ in its])
            recomputing = await run_at_once(session, job_is_open)
        runs = _runs(outcome for _, _, outcome in its)
        seats = () if game is None else _seats(its)
        return Profile(ratings, rank, members, computer, runs, seats, scores, recomputing)

    async def casual(self, user: DiscordId, game: str | None) -> dict[bool, Counts]:
        """Return the casual games of a member with a result, in `game` or in all.

        The key is True for games with a computer player. The query reads all casual games of the member.
        """
        program = (
            select(SeatRow.seat)
            .where(SeatRow.match_id == MatchRow.id, SeatRow.user_id.in_(COMPUTER_PLAYERS))
            .correlate(MatchRow)
            .exists()
        )
        own = aliased(SeatRow)
        its = select(program.label("program"), own.outcome, MatchRow.game).join(
            own, own.match_id == MatchRow.id
        )
        its = its.where(
            own.user_id == user,
            own.finished_at.is_not(None),
            own.outcome.is_not(None),
            MatchRow.void.is_(None),
            MatchRow.rated.is_(False),
        )
        # Whoever has left has lost, whatever a computer player then reached in their seat.
        rated = select(RatedSeatRow.seat).where(
            RatedSeatRow.match_id == MatchRow.id, RatedSeatRow.user_id == user
        )
        left = (
            select(MatchRow.game)
            .join(own, own.match_id == MatchRow.id)
            .where(own.leaver == user, own.outcome.is_not(None), MatchRow.void.is_(None), ~rated.exists())
        )
        rows, lost_by_leaving = await self._read(lambda it: (it.execute(its).all(), it.scalars(left).all()))
        counts = Counter((bool(row.program), row.outcome) for row in rows if game in (None, row.game))
        counts[False, Outcome.LOST] += sum(game in (None, it) for it in lost_by_leaving)
        won, drawn, lost = Outcome
        return {
            kind: (counts[kind, won], counts[kind, drawn], counts[kind, lost])
            for kind in (False, True)
            if any(counts[kind, outcome] for outcome in Outcome)
        }

    async def duels(self, one: DiscordId, other: DiscordId, guild: DiscordId | None) -> Duels:
        """Return the rated games between two members that count everywhere or in `guild`."""
        async with self._sessions.read() as session:
            fewer, more = await _by_games(session, one, other)
            own, its = aliased(RatedSeatRow), aliased(RatedSeatRow)
            first, second = (own, its) if fewer == one else (its, own)
            better, equal, worse = (
                func.count().filter(it)
                for it in (first.rank < second.rank, first.rank == second.rank, first.rank > second.rank)
            )
            # A match ends for all players at the same time: by that time the index finds the other's row.
            together = and_(its.user_id == more, its.at == own.at, its.match_id == own.match_id)
            # Matches that counted only in their server have no server once its data was deleted: they count nowhere.
            here = [] if guild is None else [own.guild == guild]
            query = (
                select(own.game, better, equal, worse, func.max(own.at, type_=own.at.type))
                .join(its, together)
                .where(own.user_id == fewer, or_(own.everywhere.is_(True), *here))
                .group_by(own.game)
                .order_by(own.game)
            )
            rows = (await session.execute(query)).all()
            programs = await computers(session, (one, other))
        return Duels(
            tuple((game, (won, drawn, lost)) for game, won, drawn, lost, _ in rows),
            max((last for *_, last in rows), default=None),
            programs,
        )


async def _seat_ratings(
    session: AsyncSession, user: DiscordId, guild: DiscordId, games: Sequence[str]
) -> tuple[Rating, ...]:
    query = select(RatingRow).where(
        RatingRow.user_id == user, RatingRow.guild == guild, RatingRow.period == ALWAYS
    )
    known = (TOGETHER, *games)
    found = [row.value() for row in await session.scalars(query) if row.game in known]
    return tuple(sorted(found, key=lambda it: known.index(it.leaderboard.game)))


async def _rank(session: AsyncSession, own: Rating) -> tuple[int, int]:
    higher = func.sum(TallyRow.members).filter(TallyRow.score > own.held.skill.score)
    query = _tallied(own.leaderboard, func.coalesce(higher, 0), func.sum(TallyRow.members))
    above, members = (await session.execute(query)).one()
    return 1 + int(above), int(members)


def _counting(user: DiscordId, leaderboard: Leaderboard) -> ColumnElement[bool]:
    """Return the condition for the games of a member that count on a leaderboard of all time."""
    where = (
        RatedSeatRow.everywhere.is_(True)
        if leaderboard.guild == EVERYWHERE
        else RatedSeatRow.guild == leaderboard.guild
    )
    game = [] if leaderboard.game == TOGETHER else [RatedSeatRow.game == leaderboard.game]
    return and_(RatedSeatRow.user_id == user, where, *game)


async def _games(session: AsyncSession, user: DiscordId, leaderboard: Leaderboard) -> Sequence[Game]:
    """Return all games of a member that count on a leaderboard, the oldest first."""
    query = select(RatedSeatRow.match_id, RatedSeatRow.seat, RatedSeatRow.outcome, RatedSeatRow.games)
    ordered = query.where(_counting(user, leaderboard)).order_by(RatedSeatRow.at, RatedSeatRow.match_id)
    # Not through the session, which is slower than the database: there may be thousands of rows.
    found = (await (await session.connection()).execute(ordered)).all()
    return [(match, seat if number == 1 else None, outcome) for match, seat, outcome, number in found]


def _runs(outcomes: Iterable[Outcome]) -> Runs:
    won = most_won = unbeaten = most_unbeaten = 0
    for outcome in outcomes:
        won = won + 1 if outcome is Outcome.WON else 0
        unbeaten = 0 if outcome is Outcome.LOST else unbeaten + 1
        most_won, most_unbeaten = max(most_won, won), max(most_unbeaten, unbeaten)
    return Runs(won, most_won, unbeaten, most_unbeaten)


def _seats(games: Iterable[Game]) -> tuple[tuple[Seat, Counts], ...]:
    """Return the results of a member by seat, without two-game matches."""
    counts = Counter((seat, outcome) for _, seat, outcome in games if seat is not None)
    seats = sorted({seat for seat, _ in counts})
    won, drawn, lost = Outcome
    return tuple((it, (counts[it, won], counts[it, drawn], counts[it, lost])) for it in seats)


async def _scores(
    session: AsyncSession, own: Rating, matches: Sequence[int]
) -> tuple[tuple[datetime, int], ...]:
    """Return the scores after the first and the last of these matches, and after some evenly between.

    The score after a match is the one before the next match.
    """
    last = len(matches) - 1
    shown = sorted({0, *range(last, 0, -len(matches) // POINTS)})
    looked_at = {matches[it] for number in shown for it in (number, min(number + 1, last))}
    # Without the member in the condition: SQLite would use their index and read all of their games.
    found = await session.scalars(select(RatedSeatRow).where(RatedSeatRow.match_id.in_(looked_at)))
    rows = {row.match_id: row for row in found if row.user_id == own.user}
    return tuple(
        (
            rows[matches[it]].at,
            own.held.skill.score if it == last else _before(rows[matches[it + 1]], own.leaderboard),
        )
        for it in shown
    )


def _before(row: RatedSeatRow, leaderboard: Leaderboard) -> int:
    """Return the score of a member on a leaderboard before a match."""
    leaderboards = leaderboards_of(row.game, row.guild, row.at, everywhere=row.everywhere)
    return row.before[leaderboards.index(leaderboard)].skill.score


async def _by_games(session: AsyncSession, one: DiscordId, other: DiscordId) -> tuple[DiscordId, DiscordId]:
    """Return two members, the one with fewer rated games first."""
    query = select(RatedSeatRow.user_id, func.count()).where(RatedSeatRow.user_id.in_((one, other)))
    found = await session.execute(query.group_by(RatedSeatRow.user_id))
    games = {row.user_id: row[1] for row in found}
    return (one, other) if games.get(one, 0) <= games.get(other, 0) else (other, one)
