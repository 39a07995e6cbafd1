"""Rating every match anew, from what is stored of it."""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.models import FINISHED, MatchRow, RatedRow, RatedSeatRow, RatingRow, TallyRow
from db.ratings.boards import after, boards_of
from db.ratings.skill import DAY, weight
from db.stores.base import Kept
from db.stores.matches import whole
from db.stores.rating import counted, own_ratings, write
from db.stores.tallies import Shift, keep_count
from db.values import Board, DiscordId, Held, Outcome, Rating, StoredMatch, former

Judge = Callable[[StoredMatch], Sequence[int] | None]
"""The places by seat of a match that is over, from 1, equal where one is shared; None if no rating goes by it."""

MANY = 200
"""Matches that are looked at together."""


class ReratingStore(Kept):
    """All ratings once more."""

    async def rerate(self, judge: Judge) -> int:
        """Rate all finished matches anew, in the order in which they were rated; how many there are.

        Those that never were come first, in the order in which they ended. What former members held before a match is
        taken as it is known.
        """
        async with self._sessions.write() as session:
            await own_ratings(session)
            order = (
                select(MatchRow.id, RatedRow.id)
                .outerjoin(RatedRow, RatedRow.match_id == MatchRow.id)
                .where(FINISHED, MatchRow.rated, MatchRow.void.is_(None))
                .order_by(RatedRow.id.is_not(None), RatedRow.id, MatchRow.finished_at, MatchRow.id)
            )
            found: Sequence[tuple[int, int | None]] = [
                (match, number) for match, number in await session.execute(order)
            ]
            lowest = await session.scalar(select(func.min(RatedRow.id))) or 1
            fresh = sum(number is None for _, number in found)
            ladder = _Ladder()
            for start in range(0, len(found), MANY):
                some = enumerate(found[start : start + MANY], start)
                numbers = {match: lowest - fresh + place if it is None else it for place, (match, it) in some}
                await _rerate(session, judge, ladder, numbers)
            await session.execute(delete(RatingRow))
            await session.execute(delete(TallyRow))
            await write(session, ladder.ratings.values())
            await keep_count(session, (Shift(it.board, None, it.held) for it in ladder.ratings.values()))
        return ladder.matches


class _Ladder:
    """Ratings as they stand after some matches."""

    def __init__(self) -> None:
        self.matches = 0
        self.ratings: dict[tuple[Board, DiscordId], Rating] = {}
        self._lately: dict[DiscordId, list[tuple[datetime, frozenset[DiscordId]]]] = {}

    def held(self, board: Board, user: DiscordId) -> Held:
        rating = self.ratings.get((board, user))
        return Held() if rating is None else rating.held

    def climb(
        self, user: DiscordId, boards: Sequence[Board], held: Sequence[Held], outcome: Outcome | None
    ) -> None:
        """A member holds this on these boards after one more match, that ended like this."""
        for board, now in zip(boards, held, strict=True):
            self.ratings[board, user] = counted(self.ratings.get((board, user)), user, board, now, outcome)

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


async def _rerate(session: AsyncSession, judge: Judge, ladder: _Ladder, numbers: dict[int, int]) -> None:
    """Rate some matches, each as this number, after those that the ladder has seen."""
    matches = {it.id: it for it in await session.scalars(whole().where(MatchRow.id.in_(numbers)))}
    query = select(RatedRow).where(RatedRow.match_id.in_(numbers)).options(selectinload(RatedRow.seats))
    known = {it.match_id: it for it in await session.scalars(query)}
    for number, position in numbers.items():
        match, row = matches[number], known.get(number)
        ranks = judge(match.value())
        if ranks is None:
            if row is not None:
                await session.execute(delete(RatedSeatRow).where(RatedSeatRow.match_id == number))
                await session.execute(delete(RatedRow).where(RatedRow.match_id == number))
            continue
        ladder.matches += 1
        at = match.seats[0].finished_at
        assert at is not None
        boards = boards_of(match.game, match.guild, at)
        users = [seat.user_id for seat in match.seats]
        members = [user for user in users if not former(user)]
        share = ladder.weight(members, at)
        if row is None:
            row = RatedRow(id=position, match_id=number, weight=share, seats=[])
            row.seats = [
                RatedSeatRow(match_id=number, seat=seat, user_id=user, at=at, rank=rank, before=())
                for seat, (user, rank) in enumerate(zip(users, ranks, strict=True))
            ]
            session.add(row)
        elif len(members) < len(users):
            share = row.weight  # Who had met whom is not known any more.
        row.weight = share
        for seat, rank in zip(row.seats, ranks, strict=True):
            seat.rank = rank
            if not former(seat.user_id):
                seat.before = tuple(ladder.held(board, seat.user_id) for board in boards)
            elif not seat.before:
                seat.before = tuple(Held() for _ in boards)
        result = after(boards, [seat.before for seat in row.seats], ranks, share, at)
        for sitting, held in zip(match.seats, result, strict=True):
            if not former(sitting.user_id):
                ladder.climb(sitting.user_id, boards, held, sitting.outcome)
    await session.flush()
    session.expunge_all()
