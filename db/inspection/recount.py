"""All ratings, counted again from the stored ranks and compared with those that are stored."""

from collections.abc import AsyncIterator
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.inspection.finding import RERATE, Finding
from db.models import OutdatedRatingsRow, RatedRow, RatingRow
from db.rating_math import expired, leaderboards_of
from db.stores.standings.rate import listed, not_listed
from db.stores.standings.ratings import BATCH, Rebuilt
from db.stores.standings.recompute import job_is_open
from db.values.standings import EVERYWHERE, HeldSkill, Leaderboard, Rating


async def recount_ratings(session: AsyncSession, at: datetime) -> AsyncIterator[Finding]:
    """Yield what differs. Nothing may change meanwhile: the session sees one moment, and is never flushed.

    Nothing is compared while ratings are being recomputed after a reverted result. Leaderboards that have expired at
    `at` are left out: their rows are being deleted. Memory holds the others once.
    """
    if await session.scalar(select(OutdatedRatingsRow.id)) is not None:
        yield Finding("ratings", "they follow earlier rules", "start the bot once, which counts them again")
        return
    if await session.run_sync(lambda it: job_is_open(it.connection())):
        return
    rebuilt = Rebuilt()
    order = (await session.scalars(select(RatedRow.id).order_by(RatedRow.id))).all()
    for start in range(0, len(order), BATCH):
        some = RatedRow.id.in_(order[start : start + BATCH])
        query = select(RatedRow).where(some).options(selectinload(RatedRow.seats)).order_by(RatedRow.id)
        for row in await session.scalars(query):
            if not row.seats:
                yield Finding(f"match {row.match_id}", "it is rated, and nobody played it", RERATE)
            elif not _agrees(rebuilt, row, at):
                yield Finding(
                    f"match {row.match_id}", "the ratings before it do not follow from earlier games", RERATE
                )
        session.expunge_all()
        rebuilt.forget(lambda board: expired(board.period, at))
    unlisted = await not_listed(session)
    wanted = {key: listed(rating, unlisted) for key, rating in rebuilt.ratings.items()}
    rows = await session.stream_scalars(select(RatingRow).execution_options(yield_per=BATCH))
    async for stored in rows:
        value = stored.value()
        session.expunge(stored)
        if not expired(value.leaderboard.period, at) and value != wanted.pop(
            (value.leaderboard, value.user), None
        ):
            yield Finding(_name(value), "it is not what the games give", RERATE)
    for missing in wanted.values():
        yield Finding(_name(missing), "it is missing", RERATE)


def _agrees(rebuilt: Rebuilt, row: RatedRow, at: datetime) -> bool:
    """Rate a match again. Return True if its row says the same, on leaderboards that are still shown."""
    guild = row.seats[0].guild
    kept = [
        number
        for number, board in enumerate(
            leaderboards_of(row.game, guild, row.seats[0].at, everywhere=row.everywhere)
        )
        if not expired(board.period, at)
    ]

    def said() -> tuple[float, list[list[HeldSkill]]]:
        return row.weight, [
            [seat.before[number] for number in kept if number < len(seat.before)] for seat in row.seats
        ]

    before = said()
    rebuilt.add(row, guild)
    return said() == before


def _name(rating: Rating) -> str:
    return f"rating of member {rating.user} {board_name(rating.leaderboard)}"


def board_name(board: Leaderboard) -> str:
    """The words for a leaderboard: the game, the time and the server."""
    where = "everywhere" if board.guild == EVERYWHERE else f"in server {board.guild}"
    return f"in {board.game or 'all games'}, {board.period or 'all time'}, {where}"
