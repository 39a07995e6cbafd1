"""The inspection of a database: matches, ratings and rows that contradict others, and figures for its operator."""

from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import and_, case, func, select, text, union
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from db.migrate import revision
from db.models import (
    FINISHED,
    OPEN,
    PENDING,
    RUNNING,
    AwardRow,
    ChallengeRow,
    MatchRow,
    MemberRow,
    OutdatedRatingsRow,
    PlyRow,
    PostRow,
    RatedRow,
    RatingRow,
    SeatRow,
    ServerRow,
)
from db.rating_math import expired, leaderboards_of
from db.stores.base import database_size, run_at_once
from db.stores.matches.rows import read_matches
from db.stores.standings.ratings import Rebuilt
from db.stores.standings.recompute import job_is_open
from db.stores.standings.rows import listed, not_listed
from db.values.matches import StoredMatch
from db.values.members import is_computer
from db.values.places import DiscordId
from db.values.posts import PostKind
from db.values.standings import EVERYWHERE, HeldSkill, Leaderboard, Rating

RERATE = "stop the bot and run python -m bot rerate"
PROVE = "run python -m bot prove"
RESTORE = "restore a backup from before the damage"


@dataclass(frozen=True, slots=True)
class Finding:
    """A contradiction in the database: the object with its id, what is wrong with it, and the remedy."""

    about: str
    wrong: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.about}: {self.wrong}; {self.remedy}."


BATCH = 200
"""Matches that are read at a time."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A match with what is stored because of it; `inconsistent` says what its own rows disagree on, if they do."""

    stored: StoredMatch
    awards: frozenset[tuple[DiscordId, str]]
    """The members that it has given achievements, with the keys of those."""
    ranks: tuple[int, ...] | None
    """By seat, if the match has changed ratings."""
    inconsistent: str | None


async def count_matches(session: AsyncSession) -> tuple[int, int]:
    """Return the number of matches and the highest id of one, 0 if there is none."""
    number, highest = (await session.execute(select(func.count(), func.max(MatchRow.id)))).one()
    return number, highest or 0


async def matches_after(session: AsyncSession, match: int, last: int) -> list[Examined]:
    """Return the next matches after the one with this id up to the last, in the order of their ids."""
    some = select(MatchRow.id).where(MatchRow.id > match, MatchRow.id <= last).order_by(MatchRow.id)
    ids = (await session.scalars(some.limit(BATCH))).all()
    matches = await run_at_once(session, lambda it: read_matches(it, ids))
    inconsistent = await _inconsistent(session, ids)
    awards = defaultdict(set)
    for match_id, user, key in await session.execute(
        select(AwardRow.match_id, AwardRow.user_id, AwardRow.key).where(AwardRow.match_id.in_(ids))
    ):
        awards[match_id].add((user, key))
    query = select(RatedRow).where(RatedRow.match_id.in_(ids)).options(selectinload(RatedRow.seats))
    ranks = {row.match_id: tuple(seat.rank for seat in row.seats) for row in await session.scalars(query)}
    return [
        Examined(it, frozenset(awards[it.id]), ranks.get(it.id), inconsistent.get(it.id)) for it in matches
    ]


async def _inconsistent(session: AsyncSession, ids: Sequence[int]) -> dict[int, str]:
    """Return what the rows of these matches disagree on, by match."""
    log, seat = PlyRow, SeatRow
    entries = select(log.match_id, func.count(), func.max(log.ply)).where(log.match_id.in_(ids))
    logs = {match: found for match, *found in await session.execute(entries.group_by(log.match_id))}
    theirs = select(seat.match_id, seat.seat, seat.finished_at, seat.deadline)
    seats = defaultdict(list)
    for match, *found in await session.execute(theirs.where(seat.match_id.in_(ids)).order_by(seat.seat)):
        seats[match].append(found)
    inconsistent = {}
    for row in await session.scalars(select(MatchRow).where(MatchRow.id.in_(ids))):
        its = seats[row.id]
        number, last = logs.get(row.id, (0, -1))
        if (number, last) != (row.plies, row.plies - 1):
            inconsistent[row.id] = f"it counts {row.plies} entries, and its log has {number} or a gap"
        elif [place for place, *_ in its] != list(range(row.players)):
            inconsistent[row.id] = f"it is for {row.players} players, and has {len(its)} seats or a gap"
        elif any(finished_at != row.finished_at for _, finished_at, _ in its):
            inconsistent[row.id] = "its seats say another time of its end than itself"
        elif row.finished_at is not None and any(deadline is not None for *_, deadline in its):
            inconsistent[row.id] = "it is over, and a clock still runs"
    return inconsistent


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
    unlisted = await run_at_once(session, not_listed)
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
    """Return a leaderboard in words: the game, the time and the server."""
    where = "everywhere" if board.guild == EVERYWHERE else f"in server {board.guild}"
    return f"in {board.game or 'all games'}, {board.period or 'all time'}, {where}"


@dataclass(frozen=True, slots=True)
class RowCheck:
    """A query for the ids of rows that should not be, and the finding for each."""

    query: str
    about: str
    wrong: str
    remedy: str


ROW_CHECKS = (
    RowCheck(
        "SELECT DISTINCT a.match_id FROM awards a LEFT JOIN seats s"
        " ON s.match_id = a.match_id AND s.user_id = a.user_id WHERE s.seat IS NULL",
        "match",
        "it has given an achievement to somebody who did not play it",
        PROVE,
    ),
    RowCheck(
        "SELECT id FROM matches WHERE finished_at IS NULL"
        " AND EXISTS (SELECT 1 FROM rated WHERE rated.match_id = matches.id)",
        "match",
        "it goes on, and has changed ratings already",
        RERATE,
    ),
    RowCheck(
        "SELECT c.id FROM challenges c LEFT JOIN participants p ON p.challenge_id = c.id"
        " WHERE p.challenge_id IS NULL",
        "challenge",
        "nobody takes part in it",
        RESTORE,
    ),
)

_TALLIES = """
SELECT DISTINCT period, game, guild FROM (
    SELECT period, game, guild, score FROM (
        SELECT period, game, guild, score, members FROM tallies
        UNION ALL
        SELECT period, game, guild, score, -count(*) FROM ratings WHERE listed
        GROUP BY period, game, guild, score
    ) AS together
    GROUP BY period, game, guild, score HAVING sum(members) <> 0
) AS wrong ORDER BY guild, period, game
"""

_BROKEN_INDEXES = """
SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = current_schema() AND NOT indisvalid ORDER BY relname
"""


async def check_rows(session: AsyncSession) -> AsyncIterator[Finding]:
    """Yield rows that refer to nothing, and leaderboards whose numbers of members do not fit their ratings."""
    for check in ROW_CHECKS:
        for (number,) in await session.execute(text(f"{check.query} ORDER BY 1")):
            yield Finding(f"{check.about} {number}", check.wrong, check.remedy)
    for period, game, guild in await session.execute(text(_TALLIES)):
        where = board_name(Leaderboard(period, game, guild))
        yield Finding(f"leaderboard {where}", "its numbers of members by score are wrong", RERATE)


async def check_database(session: AsyncSession) -> AsyncIterator[Finding]:
    """Yield what the database itself finds wrong with its files. On SQLite every page of the file is read."""
    if session.get_bind().dialect.name == "postgresql":
        # Foreign keys are always enforced there, and pages are checked when they are read if the server was made so.
        for (name,) in await session.execute(text(_BROKEN_INDEXES)):
            yield Finding(f"index {name}", "it is not valid", f"run REINDEX INDEX {name} on the server")
        return
    for (said,) in await session.execute(text("PRAGMA integrity_check")):
        if said != "ok":
            yield Finding("database file", str(said).replace("\n", " "), RESTORE)
    for table, row, parent, _ in await session.execute(text("PRAGMA foreign_key_check")):
        yield Finding(
            f"table {table}, row {row}", f"it refers to a row of {parent} that is not there", RESTORE
        )


WEEKS = 8
"""Weeks that are counted one by one, the present one among them."""


@dataclass(frozen=True, slots=True)
class Games:
    """The games of one kind: those that go on, all that are over, and how many were over in each week."""

    running: int
    finished: int
    by_week: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers of what a database holds."""

    kind: str
    revision: str
    bytes: int
    servers: int
    members: int
    open_challenges: int
    waiting_boards: int
    oldest_waiting_board: datetime | None
    """The time of the oldest change that no board shows yet; None if all boards are up to date."""
    weeks: tuple[str, ...]
    """The ISO weeks of `Games.by_week`, the present one first."""
    games: Mapping[str, Games]
    """By key of the game, in the order of the keys."""


async def count(session: AsyncSession, now: datetime) -> Figures:
    """Count. All numbers are of one moment."""
    connection = await session.connection()
    kind = "PostgreSQL" if connection.dialect.name == "postgresql" else "SQLite"
    users = union(select(SeatRow.user_id), select(MemberRow.user_id)).subquery()
    ids = await session.scalars(select(users.c.user_id).where(users.c.user_id > 0))
    guilds = union(select(MatchRow.guild), select(ServerRow.guild_id)).subquery()
    oldest_due = func.min(PostRow.due_at, type_=PostRow.due_at.type)
    waiting = select(func.count(), oldest_due).where(PENDING, PostRow.kind == PostKind.BOARD)
    boards, oldest = (await session.execute(waiting)).one()
    mondays = _mondays(now)
    found = await connection.run_sync(revision)
    return Figures(
        kind=kind,
        revision=found or "",
        bytes=await database_size(session),
        servers=await session.scalar(select(func.count(guilds.c.guild))) or 0,
        members=sum(not is_computer(user) for user in ids),
        open_challenges=await session.scalar(select(func.count()).select_from(ChallengeRow).where(OPEN)) or 0,
        waiting_boards=boards,
        oldest_waiting_board=oldest,
        weeks=tuple(f"{monday:%G-W%V}" for monday in mondays),
        games=await _games(session, mondays),
    )


def _mondays(now: datetime) -> Sequence[datetime]:
    """Return the beginnings of the last weeks, the present one first."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    monday = today - timedelta(days=today.weekday())
    return [monday - timedelta(weeks=number) for number in range(WEEKS)]


async def _games(session: AsyncSession, mondays: Sequence[datetime]) -> dict[str, Games]:
    weeks = [
        and_(MatchRow.finished_at >= it, MatchRow.finished_at < it + timedelta(weeks=1)) for it in mondays
    ]
    sums = [func.sum(case((condition, 1), else_=0)) for condition in (RUNNING, FINISHED, *weeks)]
    rows = await session.execute(select(MatchRow.game, *sums).group_by(MatchRow.game).order_by(MatchRow.game))
    return {
        game: Games(int(running), int(over), tuple(map(int, by_week)))
        for game, running, over, *by_week in rows
    }
