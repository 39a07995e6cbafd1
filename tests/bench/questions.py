"""The questions of `/leaderboard` and `/profile` to the store, for long boards and histories."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.orm import aliased

from bot.app.achievements import ALL
from db.models import LISTED, MatchRow, MemberRow, RatedSeatRow, RatingRow, SeatRow
from db.rating_math import periods_of
from db.store import Store
from db.values.matches import Search
from db.values.standings import EVERYWHERE, TOGETHER, Mark, PageTurn, PeriodKind
from rules.games import GAMES
from tests.bench.population import NOW

SHOWN = 10
"""Members on a page of a leaderboard, and games on one of a history."""
GAME = GAMES[0].key
KEYS = tuple(game.key for game in GAMES)
AWARDS = tuple(achievement.key for achievement in ALL)


@dataclass(frozen=True, slots=True)
class Question:
    """Something to ask of a store."""

    name: str
    ask: Callable[[Store], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A board: of a game or of all, of a server or everywhere."""

    game: str | None
    guild: int | None
    period_kind: PeriodKind

    def __str__(self) -> str:
        where = "everywhere" if self.guild is None else "server"
        return f"{where}, {'one game' if self.game else 'all games'}, {self.period_kind}"

    def rows(self) -> Select[int, int]:
        """The marks of its rows, the best first."""
        period = dict(zip(PeriodKind, periods_of(NOW), strict=True))[self.period_kind]
        board = (period, self.game or TOGETHER, self.guild or EVERYWHERE)
        query = select(RatingRow.score, RatingRow.user_id).where(LISTED)
        for column, value in zip((RatingRow.period, RatingRow.game, RatingRow.guild), board, strict=True):
            query = query.where(column == value)
        return query.order_by(RatingRow.score.desc(), RatingRow.user_id.desc())


async def most_games(engine: AsyncEngine) -> int:
    """The number of rated games of the member who has most."""
    async with engine.connect() as connection:
        return (await connection.execute(_by_games().limit(1))).one()[1]


async def questions(engine: AsyncEngine, busy: int) -> list[Question]:
    """The same questions for every database, each about the members and boards that it holds.

    `busy` is the number of games about which a busy member has, that databases of any size may be asked of alike.
    """
    async with engine.connect() as connection:
        guild = await _busiest(connection, None)
        found: list[Question] = []
        for period_kind in PeriodKind:
            for where in (None, guild):
                for game in (None, GAME):
                    wanted = Wanted(game, where, period_kind)
                    middle, own, last = [await _mark(connection, wanted, part) for part in (0.5, 0.75, 1.0)]
                    found += _pages(wanted, middle, own, last, await _tied(connection, wanted))
        found += [_podium(game, where) for where in (None, guild) for game in (None, GAME)]
        members = await _members(connection, busy)
        for who, user in members.items():
            opponent, home = await _opponent(connection, user), await _busiest(connection, user)
            found += _profiles(who, user, opponent, home)
        found.append(_hidden(members["unlisted"]))
    return found


def _pages(wanted: Wanted, middle: Mark, own: Mark, last: Mark, tied: Mark) -> Iterator[Question]:
    """Pages of a board that show the viewer's own place and its neighbours too, which on a long one are elsewhere."""
    viewer = own[1]

    def page(name: str, turn: PageTurn, mark: Mark) -> Question:
        return Question(
            f"{wanted}: {name}",
            lambda store: store.leaderboards.page(
                wanted.game, wanted.guild, wanted.period_kind, NOW, viewer, SHOWN, turn, mark
            ),
        )

    yield page("first", PageTurn.FIRST, (0, 0))
    yield page("middle", PageTurn.FORWARD, middle)
    yield page("last", PageTurn.FORWARD, last)
    yield page("own", PageTurn.MINE, (0, 0))
    yield page("among equals", PageTurn.FORWARD, tied)


def _podium(game: str | None, guild: int | None) -> Question:
    """That of last season, as `bot.app.standings` asks for it: nobody looks at it in particular."""
    wanted = Wanted(game, guild, PeriodKind.SEASON)
    ended = NOW.replace(day=1, hour=0) - timedelta(microseconds=1)
    return Question(
        f"{wanted}: last podium",
        lambda store: store.leaderboards.page(game, guild, PeriodKind.SEASON, ended, 0, SHOWN),
    )


def _hidden(user: int) -> Question:
    """A page shown to somebody who is rated and not listed."""
    return Question(
        f"{Wanted(None, None, PeriodKind.ALWAYS)}: first, for an unlisted member",
        lambda store: store.leaderboards.page(None, None, PeriodKind.ALWAYS, NOW, user, SHOWN),
    )


def _profiles(who: str, user: int, opponent: int, guild: int) -> Iterator[Question]:
    yield Question(
        f"profile of the {who} member: everywhere", lambda it: it.profiles.get(user, None, None, KEYS)
    )
    yield Question(
        f"profile of the {who} member: one game", lambda it: it.profiles.get(user, GAME, None, KEYS)
    )
    yield Question(
        f"profile of the {who} member: server", lambda it: it.profiles.get(user, None, guild, KEYS)
    )
    yield Question(
        f"newest games of the {who} member: server",
        lambda it: it.history.page(Search(guild, None, user), SHOWN),
    )
    yield Question(f"achievements of the {who} member", lambda it: it.achievements.first_awards(user, AWARDS))
    yield Question(f"versus of the {who} member", lambda it: it.profiles.duels(user, opponent, guild))


def _by_games() -> Select[int, int]:
    """The members, and how many rated games each has: who has most comes first."""
    games = func.count()
    query = select(RatedSeatRow.user_id, games).group_by(RatedSeatRow.user_id)
    return query.order_by(games.desc(), RatedSeatRow.user_id)


async def _members(connection: AsyncConnection, busy: int) -> dict[str, int]:
    """The busiest member, somebody with about so many games, somebody with as many as half of all have; all listed.

    And somebody with about as many as that who is not.
    """
    shy = set(await connection.scalars(select(MemberRow.user_id).where(MemberRow.listed.is_(False))))
    ordered = [(user, games) for user, games in await connection.execute(_by_games())]
    listed = [it for it in ordered if it[0] not in shy]
    common = listed[len(listed) // 2]

    def about(games: int, among: Sequence[tuple[int, int]]) -> int:
        return min(among, key=lambda it: abs(it[1] - games))[0]

    return {
        "busiest": listed[0][0],
        "busy": about(busy, listed),
        "common": common[0],
        "unlisted": about(common[1], [it for it in ordered if it[0] in shy]),
    }


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


async def _tied(connection: AsyncConnection, wanted: Wanted) -> Mark:
    """A row in the midst of those who hold the score that most members hold."""
    rows = wanted.rows().subquery()
    score, _ = rows.c
    most = select(score, func.count()).group_by(score).order_by(func.count().desc(), score).limit(1)
    found = (await connection.execute(most)).first()
    if found is None:
        return (0, 0)
    equals = wanted.rows().where(RatingRow.score == found[0])
    held, user = (await connection.execute(equals.offset(found[1] // 2).limit(1))).one()
    return held, user
