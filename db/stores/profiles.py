"""How members have fared, in the database: read off indexes by member, the newest games alone."""

from collections.abc import Sequence

from sqlalchemy import and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from db.models import MatchRow, RatedRow, RatedSeatRow, RatingRow, SeatRow, TallyRow
from db.ratings.boards import boards_of
from db.stores.base import Kept
from db.values import ALWAYS, EVERYWHERE, TOGETHER, Board, DiscordId, Duel, Fared, Profile, Rating

NEWEST = 200
"""Rated games of a member that are looked at, so that a profile costs the same after years."""


class ProfileStore(Kept):
    """How members have fared."""

    async def profile(
        self, user: DiscordId, game: str | None, guild: DiscordId | None, games: Sequence[str]
    ) -> Profile:
        """What a member holds in a server or (None) everywhere, on the board of a game or (None) of all together.

        `games` are the keys of all games that there are.
        """
        board = Board(ALWAYS, game or TOGETHER, guild or EVERYWHERE)
        async with self._sessions.read() as session:
            ratings = await _ratings(session, user, board.guild, games)
            fared = await _fared(session, user, board)
            own = next((it for it in ratings if it.board == board), None)
            place, members = (0, 0) if own is None or not own.listed else await _place(session, own)
        return Profile(ratings, fared, place, members)

    async def duels(self, one: DiscordId, other: DiscordId) -> tuple[Duel, ...]:
        """The rated games in which both sat, of the newest of the first one, the last one first."""
        own, its = aliased(RatedSeatRow), aliased(RatedSeatRow)
        newest = select(own.match_id).where(own.user_id == one).order_by(own.at.desc()).limit(NEWEST)
        async with self._sessions.read() as session:
            matches = list(await session.scalars(newest))
            if not matches:
                return ()
            query = (
                select(own.match_id, RatedRow.game, own.at, own.rank, its.rank)
                .join(its, and_(its.match_id == own.match_id, its.user_id == other))
                .join(RatedRow, RatedRow.match_id == own.match_id)
                .where(own.match_id.in_(matches), own.user_id == one)
                .order_by(RatedRow.id.desc())
            )
            found = await session.execute(query)
            return tuple(Duel(match, game, at, (first, second)) for match, game, at, first, second in found)


async def _ratings(
    session: AsyncSession, user: DiscordId, guild: DiscordId, games: Sequence[str]
) -> tuple[Rating, ...]:
    query = select(RatingRow).where(
        RatingRow.period == ALWAYS,
        RatingRow.game.in_((TOGETHER, *games)),
        RatingRow.guild == guild,
        RatingRow.user_id == user,
    )
    found = [row.value() for row in await session.scalars(query)]
    return tuple(sorted(found, key=lambda it: (TOGETHER, *games).index(it.board.game)))


async def _fared(session: AsyncSession, user: DiscordId, board: Board) -> tuple[Fared, ...]:
    query = (
        select(RatedSeatRow, RatedRow.game, RatedRow.everywhere, MatchRow.guild, SeatRow.outcome)
        .join(RatedRow, RatedRow.match_id == RatedSeatRow.match_id)
        .join(MatchRow, MatchRow.id == RatedSeatRow.match_id)
        .join(SeatRow, and_(SeatRow.match_id == RatedSeatRow.match_id, SeatRow.seat == RatedSeatRow.seat))
        .where(RatedSeatRow.user_id == user)
        .order_by(RatedSeatRow.at.desc(), RatedRow.id.desc())
        .limit(NEWEST)
    )
    found: list[Fared] = []
    for row, game, everywhere, guild, outcome in await session.execute(query):
        boards = boards_of(game, guild, row.at, everywhere=everywhere)
        if board in boards and outcome is not None:
            before = row.before[boards.index(board)].skill.score
            found.append(Fared(row.match_id, game, row.at, row.seat, outcome, before))
    return tuple(found)


async def _place(session: AsyncSession, own: Rating) -> tuple[int, int]:
    higher = func.sum(TallyRow.members).filter(TallyRow.score > own.held.skill.score)
    query = select(func.coalesce(higher, 0), func.sum(TallyRow.members)).where(
        TallyRow.period == own.board.period,
        TallyRow.game == own.board.game,
        TallyRow.guild == own.board.guild,
    )
    above, members = (await session.execute(query)).one()
    return 1 + int(above), int(members)
