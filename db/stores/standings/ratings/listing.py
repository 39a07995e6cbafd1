"""The ratings that leaderboards show: members and servers may stay off the global ones."""

from collections.abc import Collection
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.models import MemberRow, RatingRow, ServerRow
from db.stores.base import run_at_once
from db.stores.standings.ratings.counts import Shift, counting, keep_count
from db.stores.standings.ratings.locks import lock_players, own_ratings, share_ratings
from db.stores.standings.ratings.rows import write_ratings
from db.values.places import DiscordId
from db.values.standings import EVERYWHERE, Rating


def listed(rating: Rating, unlisted: Collection[DiscordId]) -> Rating:
    """The rating with `listed` set, given the members who do not want to be on global leaderboards."""
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
