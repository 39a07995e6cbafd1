"""Taking back the changes that a match made to ratings, in it and in all matches that were rated after it."""

import heapq
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.computers import is_computer
from db.api.places import DiscordId, former
from db.api.standings.ratings import HeldSkill, Leaderboard, RatedMatch, Rating
from db.models import RatedRow, RatedSeatRow, RatingRow
from db.rating_math.computers import has_rank
from db.rating_math.leaderboards import expired, held_after, outcomes_of
from db.rating_math.skill import weight
from db.stores.standings.ratings.counts import Shift, counting, keep_count
from db.stores.standings.ratings.locks import own_ratings
from db.stores.standings.ratings.rows import (
    forget_rated,
    held_after_match,
    rated_match,
    rated_matches,
    recent_meetings,
    uncounted,
    write_ratings,
)

Entry = tuple[Leaderboard, DiscordId]
"""A member on a leaderboard."""


async def take_back(session: AsyncSession, match: int, at: datetime) -> None:
    """Change all ratings to what they would be if a match had never been rated. Its row must be locked.

    Each later match of a member whose ratings change is rated again, in order, then the later matches of their
    opponents, and so on. The skills of computer players never change, so nothing follows from them. Leaderboards that
    are `expired` at `at` stay as they are, since they will be deleted. Nothing happens if the match was not rated.
    """
    await own_ratings(session)
    found = (await session.execute(rated_matches().where(RatedRow.match_id == match))).one_or_none()
    if found is None:
        return
    gone = rated_match(*found)
    session.expunge_all()
    await forget_rated(session, match)
    sweep = _Sweep(session)
    await sweep.begin(gone)
    while sweep.later:
        await sweep.rate_again(heapq.heappop(sweep.later))
    await _store(session, gone, sweep.held, at)


class _Sweep:
    """A pass through the later matches. `held` is the new skill of members at this point, where it differs."""

    def __init__(self, session: AsyncSession) -> None:
        self.held: dict[Entry, HeldSkill] = {}
        self.later: list[int] = []
        self._session = session
        self._users: set[DiscordId] = set()
        self._seen: set[int] = set()

    async def begin(self, gone: RatedMatch) -> None:
        """Give the players of the match that is gone the skills that they had before it."""
        for seat in gone.seats:
            if not former(seat.user) and not is_computer(seat.user):
                self.held |= {
                    (leaderboard, seat.user): held
                    for leaderboard, held in zip(gone.leaderboards, seat.before, strict=True)
                }
                await self._follow(seat.user, gone.id)

    async def rate_again(self, number: int) -> None:
        """Rate a match again, after what has changed before it."""
        session = self._session
        row, guild = (await session.execute(rated_matches().where(RatedRow.id == number))).one()
        match = rated_match(row, guild)
        members = [seat.user for seat in match.seats if not former(seat.user)]
        if len(members) == len(match.seats):
            earlier = await recent_meetings(session, row.game, members, match.at, until=number)
            row.weight = weight(members, earlier.values())
        before = [
            tuple(
                self.held.get((leaderboard, seat.user), held)
                for leaderboard, held in zip(match.leaderboards, seat.before, strict=True)
            )
            for seat in match.seats
        ]
        ranks = [seat.rank for seat in match.seats]
        users = [seat.user for seat in match.seats]
        result = held_after(match.leaderboards, before, ranks, row.weight, match.at, users)
        for seat, stored, start, now, was in zip(
            match.seats, row.seats, before, result, held_after_match(match), strict=True
        ):
            stored.before = (*start, *stored.before[len(start) :])
            if not former(seat.user) and not is_computer(seat.user):
                for leaderboard, new, old in zip(match.leaderboards, now, was, strict=True):
                    if new == old:
                        self.held.pop((leaderboard, seat.user), None)
                    else:
                        self.held[leaderboard, seat.user] = new
                        await self._follow(seat.user, number)
        await session.flush()
        session.expunge_all()

    async def _follow(self, user: DiscordId, number: int) -> None:
        """Queue all matches of a member that were rated after this one."""
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


async def _store(session: AsyncSession, gone: RatedMatch, held: dict[Entry, HeldSkill], at: datetime) -> None:
    """Store the new skills, and one match less for the players of the one that is gone."""
    less = {
        (leaderboard, seat.user): outcome
        for seat, outcome in zip(gone.seats, outcomes_of([it.rank for it in gone.seats]), strict=True)
        for leaderboard in gone.leaderboards
        if not former(seat.user) and has_rank(seat.user, leaderboard)
    }
    entries = {it for it in held.keys() | less.keys() if not expired(it[0].period, at)}
    rows = await session.scalars(
        select(RatingRow).where(RatingRow.user_id.in_({user for _, user in entries}))
    )
    ratings = {(it.leaderboard, it.user): it for it in (row.value() for row in rows)}
    session.expunge_all()
    changed = [(was := ratings[it], uncounted(was, held.get(it, was.held), less.get(it))) for it in entries]
    await write_ratings(session, (now for _, now in changed if now.games))
    for was, now in changed:
        if not now.games:
            await session.execute(delete(RatingRow).where(*_of(was)))
    await keep_count(
        session,
        (Shift(was.leaderboard, counting(was), counting(now) if now.games else None) for was, now in changed),
    )


def _of(rating: Rating) -> Sequence[ColumnElement[bool]]:
    leaderboard = rating.leaderboard
    return (
        RatingRow.guild == leaderboard.guild,
        RatingRow.period == leaderboard.period,
        RatingRow.game == leaderboard.game,
        RatingRow.user_id == rating.user,
    )
