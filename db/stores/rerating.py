"""Rating every match anew, from what is stored of it."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.api.matches import StoredMatch
from db.api.places import DiscordId, former
from db.api.ratings import Held, Leaderboard, Rating
from db.models import FINISHED, MatchRow, RatedRow, RatedSeatRow, RatingRow, TallyRow
from db.rating_math.boards import after, boards_of, bygone, outcomes_of
from db.rating_math.skill import DAY, weight
from db.stores.base import Kept
from db.stores.matches import whole
from db.stores.rating import (
    counted,
    keeping_to_themselves,
    listed,
    not_listed,
    own_ratings,
    unrate,
    write,
)
from db.stores.tallies import Shift, counting, keep_count

Judge = Callable[[StoredMatch], Sequence[int] | None]
"""The places by seat of a match that is over, from 1, equal where one is shared; None if no rating goes by it."""

MANY = 200
"""Matches that are looked at together."""


class ReratingStore(Kept):
    """All ratings once more."""

    async def rerate(self, judge: Judge, at: datetime) -> int:
        """Rate all finished matches anew, in the order in which they were rated; how many count.

        Those that never were come first, in the order in which they ended. What former members held before a match is
        taken as it is known, and so is the result of a match whose server was forgotten. What was never rated counts
        everywhere if its server wants that now. Boards that are `bygone` at `at` do not come back.
        """
        async with self._sessions.write() as session:
            await own_ratings(session)
            fresh, known = await _never_rated(session), await _rated(session)
            kept_back = await keeping_to_themselves(session)
            first = min(known.values(), default=1) - len(fresh)
            numbers = {match: first + place for place, match in enumerate(fresh)} | known
            ladder = _Ladder()
            order = sorted(numbers, key=numbers.__getitem__)
            for start in range(0, len(order), MANY):
                some = order[start : start + MANY]
                numbered = {match: numbers[match] for match in some}
                await _rerate(session, judge, ladder, numbered, kept_back)
            await session.execute(delete(RatingRow))
            await session.execute(delete(TallyRow))
            unlisted = await not_listed(session)
            ratings = [
                listed(it, unlisted) for it in ladder.ratings.values() if not bygone(it.board.period, at)
            ]
            await write(session, ratings)
            await keep_count(session, (Shift(it.board, None, counting(it)) for it in ratings))
        return ladder.matches


class _Ladder:
    """Ratings as they stand after some matches."""

    def __init__(self) -> None:
        self.matches = 0
        self.ratings: dict[tuple[Leaderboard, DiscordId], Rating] = {}
        self._lately: dict[DiscordId, list[tuple[datetime, frozenset[DiscordId]]]] = {}

    def held(self, board: Leaderboard, user: DiscordId) -> Held:
        rating = self.ratings.get((board, user))
        return Held() if rating is None else rating.held

    def climb(self, row: RatedRow, guild: DiscordId | None) -> None:
        """Rate a match, played in this server, as the next one, and write down what it finds."""
        at = row.seats[0].at
        boards = boards_of(row.game, guild, at, everywhere=row.everywhere)
        ranks = [seat.rank for seat in row.seats]
        members = [seat.user_id for seat in row.seats if not former(seat.user_id)]
        share = self.weight(members, at)
        if len(members) == len(row.seats) or not row.seats[0].before:
            row.weight = share  # Else nobody knows any more who had met whom.
        for seat in row.seats:
            if not former(seat.user_id):
                seat.before = tuple(self.held(board, seat.user_id) for board in boards)
            elif not seat.before:
                seat.before = tuple(Held() for _ in boards)
        before = [seat.before[: len(boards)] for seat in row.seats]
        result = after(boards, before, ranks, row.weight, at)
        for seat, outcome, held in zip(row.seats, outcomes_of(ranks), result, strict=True):
            for board, now in zip(boards, held, strict=True):
                if not former(seat.user_id):
                    was = self.ratings.get((board, seat.user_id))
                    self.ratings[board, seat.user_id] = counted(was, seat.user_id, board, now, outcome)
        self.matches += 1

    def weight(self, members: Sequence[DiscordId], at: datetime) -> float:
        """How much a match between `members` counts that ends at `at`; from now on it is an earlier one."""
        met = {
            id(table): table
            for user in members
            for when, table in self._lately.get(user, ())
            if when > at - DAY
        }
        table = frozenset(members)
        for user in members:
            # Of two matches that ended together the later may have been rated first: a day more is enough for both.
            lately = [it for it in self._lately.get(user, ()) if it[0] > at - 2 * DAY]
            self._lately[user] = [*lately, (at, table)]
        return weight(members, met.values())


async def _never_rated(session: AsyncSession) -> Sequence[int]:
    """Finished matches that may count and have changed no ratings, in the order in which they ended."""
    query = (
        select(MatchRow.id)
        .outerjoin(RatedRow, RatedRow.match_id == MatchRow.id)
        .where(FINISHED, MatchRow.rated, MatchRow.void.is_(None), RatedRow.id.is_(None))
    )
    return (await session.scalars(query.order_by(MatchRow.finished_at, MatchRow.id))).all()


async def _rated(session: AsyncSession) -> dict[int, int]:
    """The numbers of all matches that have changed ratings."""
    found = await session.execute(select(RatedRow.match_id, RatedRow.id))
    return {row.match_id: row.id for row in found}


async def _rerate(
    session: AsyncSession,
    judge: Judge,
    ladder: _Ladder,
    numbers: dict[int, int],
    kept_back: Collection[DiscordId],
) -> None:
    """Rate some matches, each as this number, after those that the ladder has seen.

    Of the servers `kept_back` those that were never rated do not count everywhere.
    """
    matches = {it.id: it for it in await session.scalars(whole().where(MatchRow.id.in_(numbers)))}
    query = select(RatedRow).where(RatedRow.match_id.in_(numbers)).options(selectinload(RatedRow.seats))
    known = {it.match_id: it for it in await session.scalars(query)}
    for number, position in numbers.items():
        match, row = matches.get(number), known.get(number)
        if match is not None:
            ranks = judge(match.value())
            if ranks is None:
                if row is not None:
                    await unrate(session, number)
                continue
            row = row or _new(match, position, everywhere=match.guild not in kept_back)
            session.add(row)
            for seat, rank, outcome in zip(row.seats, ranks, outcomes_of(ranks), strict=True):
                seat.rank, seat.outcome = rank, outcome
        assert row is not None
        ladder.climb(row, None if match is None else match.guild)
    await session.flush()
    session.expunge_all()


def _new(match: MatchRow, number: int, *, everywhere: bool) -> RatedRow:
    """The row of a match that was never rated, to be filled in."""
    assert match.finished_at is not None
    return RatedRow(
        id=number,
        match_id=match.id,
        game=match.game,
        weight=1.0,
        everywhere=everywhere,
        seats=[
            RatedSeatRow(
                match_id=match.id,
                seat=it.seat,
                user_id=it.user_id,
                at=match.finished_at,
                before=(),
                game=match.game,
                guild=match.guild,
                everywhere=everywhere,
            )
            for it in match.seats
        ],
    )
