"""Rating a match in the transaction that ends it."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import MatchRow, RatedRow, RatedSeatRow, SeatRow
from db.rating_math import has_rank, held_after, held_in, leaderboards_of, outcomes_of, weight
from db.stores.base import run_at_once
from db.stores.standings.ratings.counts import Shift, counting, keep_count
from db.stores.standings.ratings.listing import listed, not_listed, servers_apart
from db.stores.standings.ratings.locks import lock_players, share_ratings
from db.stores.standings.ratings.rows import counted, held_by, ratings_on, recent_meetings, write_ratings
from db.values.places import former


async def rate_match(session: AsyncSession, match: MatchRow, ranks: Sequence[int], at: datetime) -> None:
    """Change the ratings of the players of a match that ends now. Its seats must be locked.

    `ranks` are by seat, from 1, equal for shared ranks; in the second game of two, those in both together.
    """
    await share_ratings(session)
    query = select(SeatRow.user_id).where(SeatRow.match_id == match.id).order_by(SeatRow.seat)
    users = (await session.scalars(query)).all()
    members = sorted(user for user in users if not former(user))
    await lock_players(session, members)
    everywhere = match.guild is None or match.guild not in await servers_apart(session, match.guild)
    leaderboards = leaderboards_of(match.game, match.guild, at, everywhere=everywhere)
    known = await run_at_once(session, lambda it: ratings_on(it, leaderboards, members))
    unlisted = await not_listed(session, members)
    before = [
        tuple(held_in(user, match.game, held_by(known.get((it, user)))) for it in leaderboards)
        for user in users
    ]
    meetings = await run_at_once(session, lambda it: recent_meetings(it, match.game, members, at))
    share = weight(members, meetings.values())
    result = held_after(leaderboards, before, ranks, share, at, users)
    outcomes = outcomes_of(ranks)

    changed = [
        listed(counted(known.get((leaderboard, user)), user, leaderboard, now, outcome), unlisted)
        for user, outcome, held in zip(users, outcomes, result, strict=True)
        for leaderboard, now in zip(leaderboards, held, strict=True)
        if not former(user) and has_rank(user, leaderboard)
    ]
    shifts = [
        Shift(it.leaderboard, counting(known.get((it.leaderboard, it.user))), counting(it)) for it in changed
    ]
    await run_at_once(session, lambda it: write_ratings(it, changed))
    await run_at_once(session, lambda it: keep_count(it, shifts))
    rated = RatedRow(match_id=match.id, game=match.game, weight=share, everywhere=everywhere)
    rated.seats = [
        RatedSeatRow(
            match_id=match.id,
            seat=seat,
            user_id=user,
            at=at,
            rank=rank,
            before=held,
            game=match.game,
            guild=match.guild,
            everywhere=everywhere,
            outcome=outcome,
            games=match.games,
        )
        for seat, (user, rank, held, outcome) in enumerate(zip(users, ranks, before, outcomes, strict=True))
    ]
    session.add(rated)
