"""Ratings in the database: reading, recomputing and rebuilding them."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from time import monotonic

from sqlalchemy import delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.models import (
    FINISHED,
    CorrectedSkillRow,
    MatchRow,
    OutdatedRatingsRow,
    RatedRow,
    RatedSeatRow,
    RatingJobRow,
    RatingRow,
    RevertedSeatRow,
    TallyRow,
)
from db.rating_math import DAY, expired, has_rank, held_after, held_in, leaderboards_of, outcomes_of, weight
from db.stores.base import StorePart, run_at_once
from db.stores.matches.rows import read_matches
from db.stores.standings.recompute import job_is_open, recompute
from db.stores.standings.rows import (
    Shift,
    changes,
    counted,
    counting,
    forget_rated,
    held_by,
    keep_count,
    listed,
    not_listed,
    own_ratings,
    rated_match,
    rated_matches,
    servers_apart,
    write_ratings,
)
from db.values.matches import StoredMatch
from db.values.places import DiscordId, former
from db.values.standings import (
    ALWAYS,
    CHUNK,
    EVERYWHERE,
    Change,
    HeldSkill,
    Judge,
    Leaderboard,
    Rating,
    Skill,
)

BATCH = 200
"""The number of matches that are loaded at a time."""
WHOLE = or_(MatchRow.games == 1, MatchRow.first_game.is_not(None))
"""The condition for matches that may be rated: the first game of two is rated with the second."""


async def rebuild(session: AsyncSession, judge: Judge, at: datetime) -> int:
    """Rate all finished matches again, as `RatingStore.rebuild` says. Return how many count."""
    await run_at_once(session, own_ratings)
    fresh, known = await _never_rated(session), await _rated(session)
    apart = await run_at_once(session, servers_apart)
    first = min(known.values(), default=1) - len(fresh)
    numbers = {match: first + index for index, match in enumerate(fresh)} | known
    rebuilt = Rebuilt()
    order = sorted(numbers, key=numbers.__getitem__)
    for start in range(0, len(order), BATCH):
        some = order[start : start + BATCH]
        await _rate_batch(session, judge, rebuilt, {match: numbers[match] for match in some}, apart)
    await _store(session, rebuilt, at)
    return rebuilt.matches


async def renew(session: AsyncSession, at: datetime) -> int | None:
    """Compute the ratings again, as `RatingStore.renew` says. Return how many matches count, or None."""
    await run_at_once(session, own_ratings)
    if await session.scalar(select(OutdatedRatingsRow.id)) is None:
        return None
    rebuilt = Rebuilt()
    order = (await session.scalars(select(RatedRow.id).order_by(RatedRow.id))).all()
    for start in range(0, len(order), BATCH):
        some = RatedRow.id.in_(order[start : start + BATCH])
        query = select(RatedRow).where(some).options(selectinload(RatedRow.seats)).order_by(RatedRow.id)
        for row in await session.scalars(query):
            rebuilt.add(row, row.seats[0].guild)
        await session.flush()
        session.expunge_all()
    await _store(session, rebuilt, at)
    return rebuilt.matches


async def _store(session: AsyncSession, rebuilt: "Rebuilt", at: datetime) -> None:
    """Replace all ratings, which follow the rules of today. A job that recomputes ratings is then done, too."""
    await session.execute(delete(RatingRow))
    await session.execute(delete(TallyRow))
    unlisted = await run_at_once(session, not_listed)
    ratings = [
        listed(it, unlisted) for it in rebuilt.ratings.values() if not expired(it.leaderboard.period, at)
    ]
    ratings.sort(key=lambda it: (it.leaderboard.guild, it.leaderboard.period, it.leaderboard.game))
    # One statement for all of them would take longer than SQLite lets any statement take.
    for _, group in groupby(ratings, key=attrgetter("leaderboard")):
        its = list(group)
        shifts = [Shift(it.leaderboard, None, counting(it)) for it in its]
        await run_at_once(session, write_ratings, ratings=its)
        await run_at_once(session, keep_count, shifts=shifts)
    for table in (OutdatedRatingsRow, RatingJobRow, RevertedSeatRow, CorrectedSkillRow):
        await session.execute(delete(table))


class Rebuilt:
    """The ratings after the matches that were rated so far."""

    def __init__(self) -> None:
        self.matches = 0
        self.ratings: dict[tuple[Leaderboard, DiscordId], Rating] = {}
        self._recent: dict[tuple[DiscordId, str], list[tuple[datetime, frozenset[DiscordId]]]] = {}
        """By member and game: when they played it, and with whom."""

    def held(self, leaderboard: Leaderboard, user: DiscordId) -> HeldSkill:
        return held_by(self.ratings.get((leaderboard, user)))

    def add(self, row: RatedRow, guild: DiscordId | None) -> None:
        """Rate the next match, played in this server, and store in its row what its players held before."""
        at = row.seats[0].at
        leaderboards = leaderboards_of(row.game, guild, at, everywhere=row.everywhere)
        ranks = [seat.rank for seat in row.seats]
        members = [seat.user_id for seat in row.seats if not former(seat.user_id)]
        share = self.weight(row.game, members, at)
        if len(members) == len(row.seats) or not row.seats[0].before:
            row.weight = share  # With former members, nobody knows any more how often two of them have met.
        for seat in row.seats:
            if not former(seat.user_id):
                seat.before = tuple(
                    held_in(seat.user_id, row.game, self.held(it, seat.user_id)) for it in leaderboards
                )
            elif not seat.before:
                seat.before = tuple(HeldSkill() for _ in leaderboards)
        before = [seat.before[: len(leaderboards)] for seat in row.seats]
        users = [seat.user_id for seat in row.seats]
        result = held_after(leaderboards, before, ranks, row.weight, at, users)
        for seat, outcome, held in zip(row.seats, outcomes_of(ranks), result, strict=True):
            for leaderboard, now in zip(leaderboards, held, strict=True):
                if not former(seat.user_id) and has_rank(seat.user_id, leaderboard):
                    key = leaderboard, seat.user_id
                    self.ratings[key] = counted(
                        self.ratings.get(key), seat.user_id, leaderboard, now, outcome
                    )
        self.matches += 1

    def forget(self, which: Callable[[Leaderboard], bool]) -> None:
        """Forget the ratings on some leaderboards. What is counted on the others does not depend on them."""
        self.ratings = {key: rating for key, rating in self.ratings.items() if not which(key[0])}

    def weight(self, game: str, members: Sequence[DiscordId], at: datetime) -> float:
        """Return the weight of a match of a game between `members` that ends at `at`, and remember the match."""
        met = {
            id(players): players
            for user in members
            for when, players in self._recent.get((user, game), ())
            if when > at - DAY
        }
        table = frozenset(members)
        for user in members:
            # Of two matches that ended together the later may have been rated first: a day more is enough for both.
            recent = [it for it in self._recent.get((user, game), ()) if it[0] > at - 2 * DAY]
            self._recent[user, game] = [*recent, (at, table)]
        return weight(members, met.values())


async def _never_rated(session: AsyncSession) -> Sequence[int]:
    """Return finished matches that may count and have changed no ratings, in the order in which they ended."""
    query = (
        select(MatchRow.id)
        .outerjoin(RatedRow, RatedRow.match_id == MatchRow.id)
        .where(FINISHED, WHOLE, MatchRow.rated, MatchRow.void.is_(None), RatedRow.id.is_(None))
    )
    return (await session.scalars(query.order_by(MatchRow.finished_at, MatchRow.id))).all()


async def _rated(session: AsyncSession) -> dict[int, int]:
    """Return `RatedMatch.id` of all matches that have changed ratings, by id of the match."""
    found = await session.execute(select(RatedRow.match_id, RatedRow.id))
    return {row.match_id: row.id for row in found}


async def _rate_batch(
    session: AsyncSession,
    judge: Judge,
    rebuilt: Rebuilt,
    numbers: dict[int, int],
    apart: Collection[DiscordId],
) -> None:
    """Rate these matches, each with its `RatedMatch.id`.

    Matches that were never rated do not count globally if their server is `apart`.
    """
    found = await run_at_once(session, read_matches, list(numbers))
    matches = {it.id: it for it in found}
    query = select(RatedRow).where(RatedRow.match_id.in_(numbers)).options(selectinload(RatedRow.seats))
    known = {it.match_id: it for it in await session.scalars(query)}
    for match_id, number in numbers.items():
        match, row = matches.get(match_id), known.get(match_id)
        # The rating of a player who left, and whose seat a computer player has taken, stays as it was decided then.
        if match is not None and not (row is not None and any(match.leavers)):
            ranks = judge(match)
            if ranks is None:
                if row is not None:
                    await run_at_once(session, forget_rated, match=match_id)
                continue
            row = row or _new(match, number, everywhere=match.place.guild not in apart)
            session.add(row)
            for seat, rank, outcome in zip(row.seats, ranks, outcomes_of(ranks), strict=True):
                seat.rank, seat.outcome = rank, outcome
        assert row is not None
        rebuilt.add(row, None if match is None else match.place.guild)
    await session.flush()
    session.expunge_all()


def _new(match: StoredMatch, number: int, *, everywhere: bool) -> RatedRow:
    """Return a new row for a match that was never rated. Ranks, outcomes and skills are still missing."""
    assert match.finished_at is not None
    return RatedRow(
        id=number,
        match_id=match.id,
        game=match.setup.game,
        weight=1.0,
        everywhere=everywhere,
        seats=[
            RatedSeatRow(
                match_id=match.id,
                seat=seat,
                user_id=user,
                at=match.finished_at,
                before=(),
                game=match.setup.game,
                guild=match.place.guild,
                everywhere=everywhere,
                games=match.games,
            )
            for seat, user in enumerate(match.users)
        ],
    )


class RatingStore(StorePart):
    """The ratings of members."""

    async def of_member(self, user: DiscordId) -> list[Rating]:
        """Return the ratings of a member on all leaderboards, by server, period and game."""
        query = select(RatingRow).where(RatingRow.user_id == user)
        rows = await self._scalars(query.order_by(RatingRow.guild, RatingRow.period, RatingRow.game))
        return [row.value() for row in rows]

    async def skill(self, user: DiscordId, game: str) -> Skill | None:
        """Return the skill of a member in a game, everywhere and of all time, or None if no game was rated."""
        board = Leaderboard(ALWAYS, game, EVERYWHERE)
        return next((it.held.skill for it in await self.of_member(user) if it.leaderboard == board), None)

    async def changes(self, match: int) -> tuple[Change, ...] | None:
        """Return how a match changed the ratings in its game and server, by seat; None if it changed none."""
        for row, guild in await self._rows(rated_matches().where(RatedRow.match_id == match)):
            if (rated := rated_match(row, guild)).leaderboards:
                return changes(rated, row.game, guild)
        return None

    async def recomputing(self) -> bool:
        """Return True while ratings are being recomputed because results were reverted."""
        return await self._sessions.read_at_once(job_is_open)

    async def recompute(self, at: datetime, games: int = CHUNK, now: Callable[[], float] = monotonic) -> bool:
        """Run one chunk of the job that recomputes ratings after reverted results, if there is such a job.

        A chunk is one short transaction of at most `games` matches; `now` returns seconds of a monotonic clock. Call
        this again until it returns False: then all ratings are what they would be without the reverted results.
        Leaderboards that have expired at `at` are not changed.
        """
        if not await self.recomputing():
            return False
        return await self._sessions.write_at_once(lambda it: recompute(it, at, games, now))

    async def rebuild(self, judge: Judge, at: datetime) -> int:
        """Rate all finished matches again, in the order in which they were rated. Return how many count.

        Matches that were never rated come first, in the order in which they ended; they count on global leaderboards if
        their server wants that now. The skills of former members, and the results of matches whose server's data was
        deleted, are taken as stored. Leaderboards that have expired at `at` are not rebuilt.
        """
        async with self._sessions.write(unlimited=True) as session:
            return await rebuild(session, judge, at)

    async def renew(self, at: datetime) -> int | None:
        """Compute the ratings again from the ranks that are stored, if they were computed by earlier rules.

        Return how many matches count, or None if the rules are the same.
        """
        async with self._sessions.write(unlimited=True) as session:
            return await renew(session, at)
