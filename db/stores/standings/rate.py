"""Rating a match in the transaction that ends it, and the ratings that global leaderboards show."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import MatchRow, MemberRow, RatedRow, RatedSeatRow, RatingRow, SeatRow, ServerRow
from db.rating_math import has_rank, held_after, held_in, leaderboards_of, outcomes_of, weight
from db.stores.base import run_at_once
from db.stores.standings.rows import (
    Shift,
    counted,
    counting,
    held_by,
    keep_count,
    lock_players,
    own_ratings,
    ratings_on,
    recent_meetings,
    share_ratings,
    write_ratings,
)
from db.values.places import SEATS, DiscordId, former
from db.values.standings import EVERYWHERE, Rating
from rules.core.game import Seat


def listed(rating: Rating, unlisted: Collection[DiscordId]) -> Rating:
    """Return the rating with `listed` set, given the members who do not want to be on global leaderboards."""
    return replace(rating, listed=rating.leaderboard.guild != EVERYWHERE or rating.user not in unlisted)


async def not_listed(session: AsyncSession, users: Collection[DiscordId] | None = None) -> set[DiscordId]:
    """Return those of `users`, or of all members, who do not want to be on global leaderboards."""
    query = select(MemberRow.user_id).where(MemberRow.listed.is_(False))
    if users is not None:
        query = query.where(MemberRow.user_id.in_(users))
    return set(await session.scalars(query))


async def servers_apart(session: AsyncSession, guild: DiscordId | None = None) -> set[DiscordId]:
    """Return the servers, or only `guild`, whose games do not count on global leaderboards now."""
    query = select(ServerRow.guild_id).where(ServerRow.everywhere.is_(False))
    if guild is not None:
        query = query.where(ServerRow.guild_id == guild)
    return set(await session.scalars(query))


async def list_member(session: AsyncSession, user: DiscordId, *, on: bool) -> None:
    """Put a member on global leaderboards or take them off, after the change of their preferences."""
    await share_ratings(session)
    await lock_players(session, [user])
    theirs = (RatingRow.user_id == user, RatingRow.guild == EVERYWHERE, RatingRow.listed.is_(not on))
    before = [row.value() for row in await session.scalars(select(RatingRow).where(*theirs))]
    session.expunge_all()
    after = [replace(it, listed=on) for it in before]
    shifts = [
        Shift(it.leaderboard, counting(it), counting(now)) for it, now in zip(before, after, strict=True)
    ]
    await run_at_once(session, lambda it: write_ratings(it, after))
    await run_at_once(session, lambda it: keep_count(it, shifts))


async def leave_leaderboards(session: AsyncSession, user: DiscordId) -> None:
    """Subtract a member from the tallies of all leaderboards, before the same transaction deletes their ratings."""
    await run_at_once(session, own_ratings)
    rows = await session.scalars(select(RatingRow).where(RatingRow.user_id == user))
    shifts = [Shift(it.leaderboard, counting(it), None) for it in (row.value() for row in rows)]
    await run_at_once(session, lambda it: keep_count(it, shifts))


async def rate_match(
    session: AsyncSession, match: MatchRow, ranks: Sequence[int], at: datetime, *, only: Seat | None = None
) -> None:
    """Change the ratings of the players of a match that ends now. Its seats must be locked.

    `ranks` are by seat, from 1, equal for shared ranks; in the second game of two, those in both together. With `only`
    the match goes on, and changes nothing but the ratings of that seat: the others are stored like former members.
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
    if only is not None:
        users = [user if seat == only else -(match.id * SEATS + seat) for seat, user in enumerate(users)]

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
