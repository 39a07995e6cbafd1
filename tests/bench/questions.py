"""What `/leaderboard`, `/profile` and `/versus` ask of the store, of long boards and of long histories."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.orm import aliased

from db.models import LISTED, MatchRow, RatedSeatRow, RatingRow, SeatRow
from db.ratings.boards import periods_of
from db.store import SqlStore
from db.values import EVERYWHERE, TOGETHER, Era, Mark, Search, Turn
from rules.games import GAMES
from tests.bench.crowd import NOW

SHOWN = 10
"""Members on a page of a leaderboard, and games on one of a history."""
GAME = GAMES[0].key
KEYS = tuple(game.key for game in GAMES)


@dataclass(frozen=True, slots=True)
class Question:
    """Something to ask of a store."""

    name: str
    ask: Callable[[SqlStore], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A board: of a game or of all, of a server or everywhere."""

    game: str | None
    guild: int | None
    era: Era

    def __str__(self) -> str:
        where = "everywhere" if self.guild is None else "server"
        return f"{where}, {'one game' if self.game else 'all games'}, {self.era}"

    def rows(self) -> Select[int, int]:
        """The marks of its rows, the best first."""
        period = dict(zip(Era, periods_of(NOW), strict=True))[self.era]
        board = (period, self.game or TOGETHER, self.guild or EVERYWHERE)
        query = select(RatingRow.score, RatingRow.user_id).where(LISTED)
        for column, value in zip((RatingRow.period, RatingRow.game, RatingRow.guild), board, strict=True):
            query = query.where(column == value)
        return query.order_by(RatingRow.score.desc(), RatingRow.user_id.desc())


async def questions(engine: AsyncEngine) -> list[Question]:
    """The same questions for every database, each about the members and boards that it holds."""
    async with engine.connect() as connection:
        busy, common = await _members(connection)
        guild = await _busiest(connection, None)
        found: list[Question] = []
        for era in Era:
            for where in (None, guild):
                for game in (None, GAME):
                    wanted = Wanted(game, where, era)
                    marks = [await _mark(connection, wanted, part) for part in (0.5, 0.75, 1.0)]
                    found += _pages(wanted, *marks)
        for who, user in (("busy", busy), ("common", common)):
            opponent, home = await _opponent(connection, user), await _busiest(connection, user)
            found += _profiles(who, user, opponent, home)
    return found


def _pages(wanted: Wanted, middle: Mark, own: Mark, last: Mark) -> Iterator[Question]:
    """Pages of a board that show the viewer's own place and its neighbours too, which on a long one are elsewhere."""
    viewer = own[1]

    def page(name: str, turn: Turn, mark: Mark) -> Question:
        return Question(
            f"{wanted}: {name}",
            lambda store: store.leaderboard(
                wanted.game, wanted.guild, wanted.era, NOW, viewer, SHOWN, turn, mark
            ),
        )

    yield page("first", Turn.FIRST, (0, 0))
    yield page("middle", Turn.FORWARD, middle)
    yield page("last", Turn.FORWARD, last)
    yield page("own", Turn.MINE, (0, 0))


def _profiles(who: str, user: int, opponent: int, guild: int) -> Iterator[Question]:
    yield Question(f"profile of a {who} member: everywhere", lambda it: it.profile(user, None, None, KEYS))
    yield Question(f"profile of a {who} member: one game", lambda it: it.profile(user, GAME, None, KEYS))
    yield Question(f"profile of a {who} member: server", lambda it: it.profile(user, None, guild, KEYS))
    yield Question(
        f"newest games of a {who} member: server", lambda it: it.finished(Search(guild, None, user), SHOWN)
    )
    yield Question(f"versus of a {who} member", lambda it: it.duels(user, opponent, guild))


async def _members(connection: AsyncConnection) -> tuple[int, int]:
    """Who has played most, and somebody with as many games as half of all have."""
    query = select(RatedSeatRow.user_id).group_by(RatedSeatRow.user_id).order_by(func.count().desc())
    ordered = list(await connection.scalars(query))
    return ordered[0], ordered[len(ordered) // 2]


async def _opponent(connection: AsyncConnection, user: int) -> int:
    """With whom a member has played most."""
    own, its = aliased(RatedSeatRow), aliased(RatedSeatRow)
    query = (
        select(its.user_id)
        .join(own, own.match_id == its.match_id)
        .where(own.user_id == user, its.user_id != user)
        .group_by(its.user_id)
        .order_by(func.count().desc(), its.user_id)
        .limit(1)
    )
    return (await connection.scalars(query)).one()


async def _busiest(connection: AsyncConnection, user: int | None) -> int:
    """The server in which most has been played, by a member or (None) by all."""
    query = select(MatchRow.guild).where(MatchRow.guild.is_not(None)).group_by(MatchRow.guild)
    if user is not None:
        query = query.join(SeatRow, SeatRow.match_id == MatchRow.id).where(SeatRow.user_id == user)
    found = (await connection.scalars(query.order_by(func.count().desc(), MatchRow.guild).limit(1))).one()
    assert found is not None
    return found


async def _mark(connection: AsyncConnection, wanted: Wanted, part: float) -> Mark:
    """The row that this part of a board, from 0 to 1, is above."""
    rows = wanted.rows()
    count = await connection.scalar(select(func.count()).select_from(rows.subquery())) or 0
    if not count:
        return (0, 0)
    score, user = (await connection.execute(rows.offset(round((count - 1) * part)).limit(1))).one()
    return score, user
