"""Taking back what a match has done to ratings, and to whatever was rated after it."""

import heapq
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.places import DiscordId, former
from db.api.ratings import Held, Leaderboard, RatedMatch, Rating
from db.models import RatedRow, RatedSeatRow, RatingRow
from db.rating_math.boards import after, bygone, outcomes_of
from db.rating_math.skill import weight
from db.stores.rated import held_after, rated_match, rated_matches
from db.stores.rating import own_ratings, tables, uncounted, unrate, write
from db.stores.tallies import Shift, counting, keep_count

Spot = tuple[Leaderboard, DiscordId]
"""A member on a board."""


async def take_back(session: AsyncSession, match: int, at: datetime) -> None:
    """Let all ratings be as if a match had never been rated. Its row must be locked; one that was not is nothing to do.

    Every later match of a member whose ratings change is rated again, in order, and so on with those they met there.
    Boards that are `bygone` at `at` stay as they are, if they are there: they are being let go.
    """
    await own_ratings(session)
    found = (await session.execute(rated_matches().where(RatedRow.match_id == match))).one_or_none()
    if found is None:
        return
    gone = rated_match(*found)
    session.expunge_all()
    await unrate(session, match)
    sweep = _Sweep(session)
    await sweep.begin(gone)
    while sweep.later:
        await sweep.rate_again(heapq.heappop(sweep.later))
    await _settle(session, gone, sweep.held, at)


class _Sweep:
    """Goes through the later matches. `held` is what members hold by then where it is not what they held before."""

    def __init__(self, session: AsyncSession) -> None:
        self.held: dict[Spot, Held] = {}
        self.later: list[int] = []
        self._session = session
        self._users: set[DiscordId] = set()
        self._seen: set[int] = set()

    async def begin(self, gone: RatedMatch) -> None:
        """Without this match its players hold what they held before it."""
        for seat in gone.seats:
            if not former(seat.user):
                self.held |= {
                    (board, seat.user): held for board, held in zip(gone.boards, seat.before, strict=True)
                }
                await self._follow(seat.user, gone.id)

    async def rate_again(self, number: int) -> None:
        """Rate a match again, after what has changed before it."""
        session = self._session
        row, guild = (await session.execute(rated_matches().where(RatedRow.id == number))).one()
        match = rated_match(row, guild)
        members = [seat.user for seat in match.seats if not former(seat.user)]
        if len(members) == len(match.seats):
            earlier = await tables(session, members, match.at, until=number)
            row.weight = weight(members, earlier.values())
        before = [
            tuple(
                self.held.get((board, seat.user), held)
                for board, held in zip(match.boards, seat.before, strict=True)
            )
            for seat in match.seats
        ]
        result = after(match.boards, before, [seat.rank for seat in match.seats], row.weight, match.at)
        for seat, stored, start, now, was in zip(
            match.seats, row.seats, before, result, held_after(match), strict=True
        ):
            stored.before = (*start, *stored.before[len(start) :])
            if not former(seat.user):
                for board, new, old in zip(match.boards, now, was, strict=True):
                    if new == old:
                        self.held.pop((board, seat.user), None)
                    else:
                        self.held[board, seat.user] = new
                        await self._follow(seat.user, number)
        await session.flush()
        session.expunge_all()

    async def _follow(self, user: DiscordId, number: int) -> None:
        """Look at all matches of a member that were rated after this one."""
        if user in self._users:
            return
        self._users.add(user)
        query = (
            select(RatedRow.id)
            .join(RatedSeatRow, RatedSeatRow.match_id == RatedRow.match_id)
            .where(RatedSeatRow.user_id == user, RatedRow.id > number)
        )
        for later in await self._session.scalars(query):
            if later not in self._seen:
                self._seen.add(later)
                heapq.heappush(self.later, later)


async def _settle(session: AsyncSession, gone: RatedMatch, held: dict[Spot, Held], at: datetime) -> None:
    """Write down what members hold now, and that there is one match less."""
    less = {
        (board, seat.user): outcome
        for seat, outcome in zip(gone.seats, outcomes_of([it.rank for it in gone.seats]), strict=True)
        for board in gone.boards
        if not former(seat.user)
    }
    spots = {it for it in held.keys() | less.keys() if not bygone(it[0].period, at)}
    rows = await session.scalars(select(RatingRow).where(RatingRow.user_id.in_({user for _, user in spots})))
    ratings = {(it.board, it.user): it for it in (row.value() for row in rows)}
    session.expunge_all()
    settled = [(was := ratings[it], uncounted(was, held.get(it, was.held), less.get(it))) for it in spots]
    await write(session, (now for _, now in settled if now.games))
    for was, now in settled:
        if not now.games:
            await session.execute(delete(RatingRow).where(*_at(was)))
    await keep_count(
        session,
        (Shift(was.board, counting(was), counting(now) if now.games else None) for was, now in settled),
    )


def _at(rating: Rating) -> Sequence[ColumnElement[bool]]:
    board = rating.board
    return (
        RatingRow.guild == board.guild,
        RatingRow.period == board.period,
        RatingRow.game == board.game,
        RatingRow.user_id == rating.user,
    )
