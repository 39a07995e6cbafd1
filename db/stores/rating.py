"""Rating a match in the transaction that ends it.

Whoever changes ratings locks in this order: the match and its seats or the member's choices, the table of ratings, the
players by id, the tallies. Those who rate share the table; who takes back, deletes or rebuilds has it alone.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import delete, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.matches import Outcome
from db.api.places import DiscordId, former
from db.api.ratings import EVERYWHERE, Held, Leaderboard, Rating
from db.models import GuildRow, MatchRow, MemberRow, RatedRow, RatedSeatRow, RatingRow, SeatRow
from db.rating_math.boards import after, boards_of, outcomes_of
from db.rating_math.skill import DAY, weight
from db.stores.base import inserting
from db.stores.tallies import Shift, counting, keep_count

KEY = ("guild", "period", "game", "user_id")
KEPT = ("mu", "sigma", "score", "won", "drawn", "lost", "week", "was", "listed")


async def rate_match(session: AsyncSession, match: MatchRow, ranks: Sequence[int], at: datetime) -> None:
    """Let the result of a match that ends now, and whose seats are locked, change its players' ratings.

    `ranks` are the places by seat, from 1, equal where one is shared.
    """
    await share_ratings(session)
    query = select(SeatRow.user_id).where(SeatRow.match_id == match.id).order_by(SeatRow.seat)
    users = (await session.scalars(query)).all()
    members = sorted(user for user in users if not former(user))
    await _lock(session, members)
    everywhere = match.guild is None or match.guild not in await keeping_to_themselves(session, match.guild)
    boards = boards_of(match.game, match.guild, at, everywhere=everywhere)
    known = await ratings_on(session, boards, members)
    unlisted = await not_listed(session, members)
    before = [tuple(_held(known.get((board, user))) for board in boards) for user in users]
    share = weight(members, (await tables(session, members, at)).values())
    result = after(boards, before, ranks, share, at)
    outcomes = outcomes_of(ranks)

    changed = [
        listed(counted(known.get((board, user)), user, board, now, outcome), unlisted)
        for user, outcome, held in zip(users, outcomes, result, strict=True)
        for board, now in zip(boards, held, strict=True)
        if not former(user)
    ]
    await write(session, changed)
    await keep_count(
        session,
        (Shift(it.board, counting(known.get((it.board, it.user))), counting(it)) for it in changed),
    )
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
        )
        for seat, (user, rank, held, outcome) in enumerate(zip(users, ranks, before, outcomes, strict=True))
    ]
    session.add(rated)


async def share_ratings(session: AsyncSession) -> None:
    """From here on this transaction may change ratings, and nobody takes any back meanwhile."""
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(text("LOCK TABLE ratings IN ROW EXCLUSIVE MODE"))


async def own_ratings(session: AsyncSession) -> None:
    """From here on nobody but this transaction changes any ratings; they can be read as they were."""
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(text("LOCK TABLE ratings IN EXCLUSIVE MODE"))


async def leave_boards(session: AsyncSession, user: DiscordId) -> None:
    """Count a member out of all boards, before their ratings are deleted in the same transaction."""
    await own_ratings(session)
    rows = await session.scalars(select(RatingRow).where(RatingRow.user_id == user))
    ratings = [row.value() for row in rows]
    await keep_count(session, (Shift(it.board, counting(it), None) for it in ratings))


async def list_member(session: AsyncSession, user: DiscordId, *, on: bool) -> None:
    """Put a member on the boards of everywhere or take them off, once their choice is changed in this transaction."""
    await share_ratings(session)
    await _lock(session, [user])
    theirs = (RatingRow.user_id == user, RatingRow.guild == EVERYWHERE, RatingRow.listed.is_(not on))
    before = [row.value() for row in await session.scalars(select(RatingRow).where(*theirs))]
    session.expunge_all()
    after = [replace(it, listed=on) for it in before]
    await write(session, after)
    await keep_count(
        session,
        (Shift(it.board, counting(it), counting(now)) for it, now in zip(before, after, strict=True)),
    )


async def not_listed(session: AsyncSession, users: Collection[DiscordId] | None = None) -> set[DiscordId]:
    """Those of these users, or (None) of all, who do not want to be on boards of everywhere."""
    query = select(MemberRow.user_id).where(MemberRow.listed.is_(False))
    if users is not None:
        query = query.where(MemberRow.user_id.in_(users))
    return set(await session.scalars(query))


async def keeping_to_themselves(session: AsyncSession, guild: DiscordId | None = None) -> set[DiscordId]:
    """The servers, or this one, in which nothing that ends now counts on boards of everywhere."""
    query = select(GuildRow.guild_id).where(GuildRow.everywhere.is_(False))
    if guild is not None:
        query = query.where(GuildRow.guild_id == guild)
    return set(await session.scalars(query))


async def unrate(session: AsyncSession, match: int) -> None:
    """Forget that a match has changed ratings; they stay as they are."""
    await session.execute(delete(RatedSeatRow).where(RatedSeatRow.match_id == match))
    await session.execute(delete(RatedRow).where(RatedRow.match_id == match))


async def ratings_on(
    session: AsyncSession, boards: Sequence[Leaderboard], users: Collection[DiscordId]
) -> dict[tuple[Leaderboard, DiscordId], Rating]:
    """Where the users stand on the boards of a match, as far as they are on them."""
    query = select(RatingRow).where(
        RatingRow.period.in_({board.period for board in boards}),
        RatingRow.game.in_({board.game for board in boards}),
        RatingRow.guild.in_({board.guild for board in boards}),
        RatingRow.user_id.in_(users),
    )
    found = [row.value() for row in await session.scalars(query)]
    return {(it.board, it.user): it for it in found}


async def tables(
    session: AsyncSession, users: Collection[DiscordId], at: datetime, *, until: int | None = None
) -> dict[int, set[DiscordId]]:
    """Who of these users sat together in each match that was rated within the day before `at`.

    With `until` only matches that were rated before that one are looked at, a number in `rated`.
    """
    query = select(RatedSeatRow.match_id, RatedSeatRow.user_id).where(
        RatedSeatRow.user_id.in_(users), RatedSeatRow.at > at - DAY
    )
    if until is not None:
        query = query.join(RatedRow, RatedRow.match_id == RatedSeatRow.match_id).where(RatedRow.id < until)
    found: dict[int, set[DiscordId]] = {}
    for match, user in await session.execute(query):
        found.setdefault(match, set()).add(user)
    return found


async def write(session: AsyncSession, ratings: Iterable[Rating]) -> None:
    """Make these rows, or change them."""
    rows = [
        {
            "period": it.board.period,
            "game": it.board.game,
            "guild": it.board.guild,
            "user_id": it.user,
            "mu": it.held.skill.mu,
            "sigma": it.held.skill.sigma,
            "score": it.held.skill.score,
            "won": it.won,
            "drawn": it.drawn,
            "lost": it.lost,
            "week": it.held.week,
            "was": it.held.was,
            "listed": it.listed,
        }
        for it in ratings
    ]
    if not rows:
        return
    made = inserting(session, RatingRow)
    changes = {column: made.excluded[column] for column in KEPT}
    writing = made.on_conflict_do_update(index_elements=KEY, set_=changes)
    await (await session.connection()).execute(writing, rows)


async def _lock(session: AsyncSession, users: Sequence[DiscordId]) -> None:
    """Wait for whoever else rates a match of one of these users, who are sorted, and make the others wait."""
    if session.get_bind().dialect.name == "postgresql":
        for user in users:
            await session.execute(select(func.pg_advisory_xact_lock(user)))


def _held(rating: Rating | None) -> Held:
    return Held() if rating is None else rating.held


def listed(rating: Rating, unlisted: Collection[DiscordId]) -> Rating:
    """The rating as these members, who do not want to be on boards of everywhere, and all others want it seen."""
    return replace(rating, listed=rating.board.guild != EVERYWHERE or rating.user not in unlisted)


def counted(
    rating: Rating | None, user: DiscordId, board: Leaderboard, held: Held, outcome: Outcome
) -> Rating:
    """The rating after one more match, that ended like this."""
    return _tallied(rating or Rating(user, board, held, 0, 0, 0), held, outcome, 1)


def uncounted(rating: Rating, held: Held, outcome: Outcome | None) -> Rating:
    """The rating with another skill, and without a match that ended like this if one is gone."""
    return replace(rating, held=held) if outcome is None else _tallied(rating, held, outcome, -1)


def _tallied(rating: Rating, held: Held, outcome: Outcome, more: int) -> Rating:
    match outcome:
        case Outcome.WON:
            return replace(rating, held=held, won=rating.won + more)
        case Outcome.DRAWN:
            return replace(rating, held=held, drawn=rating.drawn + more)
        case Outcome.LOST:
            return replace(rating, held=held, lost=rating.lost + more)
