"""Rating a match in the transaction that ends it, and the ratings that global leaderboards show."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import MemberRow, RatedRow, RatedSeatRow, RatingRow, ServerRow
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
from db.values.matches import StoredMatch
from db.values.places import SEATS, DiscordId, former
from db.values.standings import EVERYWHERE, Rating
from rules.core.game import Seat

_RATED, _RATED_SEATS = insert(RatedRow), insert(RatedSeatRow)


def listed(rating: Rating, unlisted: Collection[DiscordId]) -> Rating:
    """Return the rating with `listed` set, given the members who do not want to be on global leaderboards."""
    return replace(rating, listed=rating.leaderboard.guild != EVERYWHERE or rating.user not in unlisted)


def not_listed(connection: Connection, users: Collection[DiscordId] | None = None) -> set[DiscordId]:
    """Return those of `users`, or of all members, who do not want to be on global leaderboards."""
    query = select(MemberRow.user_id).where(MemberRow.listed.is_(False))
    if users is not None:
        query = query.where(MemberRow.user_id.in_(users))
    return set(connection.scalars(query))


def servers_apart(connection: Connection, guild: DiscordId | None = None) -> set[DiscordId]:
    """Return the servers, or only `guild`, whose games do not count on global leaderboards now."""
    query = select(ServerRow.guild_id).where(ServerRow.everywhere.is_(False))
    if guild is not None:
        query = query.where(ServerRow.guild_id == guild)
    return set(connection.scalars(query))


async def list_member(session: AsyncSession, user: DiscordId, *, on: bool) -> None:
    """Put a member on global leaderboards or take them off, after the change of their preferences."""
    await run_at_once(session, share_ratings)
    await run_at_once(session, lambda it: lock_players(it, [user]))
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


def rate_match(
    connection: Connection,
    match: StoredMatch,
    ranks: Sequence[int],
    at: datetime,
    *,
    only: Seat | None = None,
) -> None:
    """Change the ratings of the players of a match that ends now. Its seats must be locked.

    `ranks` are by seat, from 1, equal for shared ranks; in the second game of two, those in both together. With `only`
    the match goes on, and changes nothing but the ratings of that seat: the others are stored like former members.
    """
    share_ratings(connection)
    game, guild, users = match.setup.game, match.place.guild, match.users
    members = sorted(user for user in users if not former(user))
    lock_players(connection, members)
    everywhere = guild is None or guild not in servers_apart(connection, guild)
    leaderboards = leaderboards_of(game, guild, at, everywhere=everywhere)
    known = ratings_on(connection, leaderboards, members)
    unlisted = not_listed(connection, members)
    before = [
        tuple(held_in(user, game, held_by(known.get((it, user)))) for it in leaderboards) for user in users
    ]
    meetings = recent_meetings(connection, game, members, at)
    share = weight(members, meetings.values())
    result = held_after(leaderboards, before, ranks, share, at, users)
    outcomes = outcomes_of(ranks)
    if only is not None:
        users = tuple(user if seat == only else -(match.id * SEATS + seat) for seat, user in enumerate(users))

    changed = [
        listed(counted(known.get((leaderboard, user)), user, leaderboard, now, outcome), unlisted)
        for user, outcome, held in zip(users, outcomes, result, strict=True)
        for leaderboard, now in zip(leaderboards, held, strict=True)
        if not former(user) and has_rank(user, leaderboard)
    ]
    shifts = [
        Shift(it.leaderboard, counting(known.get((it.leaderboard, it.user))), counting(it)) for it in changed
    ]
    write_ratings(connection, changed)
    keep_count(connection, shifts)
    its = {"match_id": match.id, "game": game, "everywhere": everywhere}
    connection.execute(_RATED, {**its, "weight": share})
    connection.execute(
        _RATED_SEATS,
        [
            {
                **its,
                "seat": seat,
                "user_id": user,
                "at": at,
                "rank": rank,
                "before": held,
                "guild": guild,
                "outcome": outcome,
                "games": match.games,
            }
            for seat, (user, rank, held, outcome) in enumerate(
                zip(users, ranks, before, outcomes, strict=True)
            )
        ],
    )
