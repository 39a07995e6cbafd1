"""Puzzles, lessons, moments of finished games, and the matches of a week in the database."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, case, delete, exists, func, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, aliased

from db.models import (
    FINISHED,
    PENDING,
    UNSEARCHED,
    LessonRow,
    MatchRow,
    MemberRow,
    MomentRow,
    PlyRow,
    PostRow,
    PuzzleAttemptRow,
    PuzzleDayRow,
    PuzzleRunRow,
    PuzzleSkillRow,
    PuzzleSolverRow,
    SeatRow,
)
from db.rating_math import rate_attempt
from db.stores.base import HIGHEST, StorePart, add_members, inserting, named
from db.values.members import COMPUTER_PLAYERS
from db.values.places import DiscordId, former
from db.values.posts import PostKind
from db.values.puzzles import Attempt, AttemptMovedOn, Progress, PuzzleRun, Solver, StoredMoment
from db.values.standings import NEWCOMER, Skill
from rules.core.match import DRAW, LEAVING
from rules.puzzles.moments import Moment


class LessonStore(StorePart):
    """The progress of members in lessons."""

    async def progress(self, user: DiscordId, game: str) -> Progress:
        """Return how far a member has come in the lesson of a game: at its beginning if nothing is stored."""
        row = await self._get(LessonRow, (user, game))
        return Progress(user, game) if row is None else row.value()

    async def all_progress(self, user: DiscordId) -> list[Progress]:
        """Return how far a member has come in every lesson that they have begun, by the keys of the games."""
        query = select(LessonRow).where(LessonRow.user_id == user).order_by(LessonRow.game)
        return [row.value() for row in await self._scalars(query)]

    async def keep(self, progress: Progress) -> None:
        """Store how far a member has come in a lesson. A lesson that was done stays done."""
        async with self._sessions.write() as session:
            await add_members(session, [progress.user])
            made = inserting(session, LessonRow).values(user_id=progress.user, **named(progress, "user"))
            given = made.excluded
            changes = {
                "step": given.step,
                "moves": given.moves,
                "done": or_(LessonRow.done, given.done),
            }
            await session.execute(
                made.on_conflict_do_update(index_elements=["user_id", "game"], set_=changes)
            )


BETWEEN_UPDATES = timedelta(minutes=1)
"""Time for which a daily post waits for further results before it is updated."""


class PuzzleStore(StorePart):
    """The puzzles of days, the attempts of members, and skills at puzzles."""

    async def choose(self, day: date, puzzle: str) -> str:
        """Make a puzzle that of a day unless the day has one, and return the name of the one that it has."""
        async with self._sessions.write() as session:
            made = inserting(session, PuzzleDayRow).values(day=day, puzzle=puzzle)
            await session.execute(made.on_conflict_do_nothing(index_elements=["day"]))
            return (await session.get_one(PuzzleDayRow, day)).puzzle

    async def of_day(self, day: date) -> str | None:
        """Return the name of the puzzle of a day; None if none is chosen yet."""
        row = await self._get(PuzzleDayRow, day)
        return None if row is None else row.puzzle

    async def days_of(self, puzzle: str) -> list[date]:
        """Return the days whose puzzle this was or is, the last one first."""
        query = (
            select(PuzzleDayRow.day).where(PuzzleDayRow.puzzle == puzzle).order_by(PuzzleDayRow.day.desc())
        )
        return await self._scalars(query)

    async def attempt(self, user: DiscordId, puzzle: str) -> Attempt | None:
        """Return a member's attempt at a puzzle; None if they have not made a move in it."""
        row = await self._get(PuzzleAttemptRow, (user, puzzle))
        return None if row is None else row.value()

    async def attempted(self, user: DiscordId) -> dict[str, bool | None]:
        """Return the names of the puzzles in which a member has made a move, and if they have solved them.

        None is an attempt that goes on.
        """
        row = PuzzleAttemptRow
        query = select(row.puzzle, row.solved).where(row.user_id == user)
        return {found.puzzle: found.solved for found in await self._rows(query)}

    async def keep_attempt(self, before: Attempt, after: Attempt, start: Skill | None) -> None:
        """Store an attempt after another move.

        If the move ends it, the skills of the member and of the puzzle change in the same transaction; `start` is the
        skill of a puzzle that nobody has tried before, None if no skill is to change. Raises AttemptMovedOn if the
        attempt is not as in `before`.
        """
        async with self._sessions.write() as session:
            await add_members(session, [before.user])
            made = inserting(session, PuzzleAttemptRow).values(
                user_id=before.user,
                puzzle=before.puzzle,
                guild=before.guild,
                moves=(),
                begun_at=before.begun,
            )
            await session.execute(made.on_conflict_do_nothing(index_elements=["user_id", "puzzle"]))
            key = before.user, before.puzzle
            row = await session.get_one(PuzzleAttemptRow, key, with_for_update=True)
            if row.moves != before.moves or row.ended_at is not None:
                raise AttemptMovedOn
            row.moves, row.solved, row.ended_at = after.moves, after.solved, after.ended
            if after.ended is not None and row.guild is not None:
                await _update_daily(session, row.guild, before.puzzle, after.ended + BETWEEN_UPDATES)
            if after.solved is not None and start is not None:
                await _rate(session, after, after.solved, start)

    async def try_again(self, user: DiscordId, puzzle: str, moves: tuple[str, ...] | None) -> None:
        """Store the moves of a later try at a puzzle; None ends it. Nothing is stored if there was no first attempt."""
        row = PuzzleAttemptRow
        changing = update(row).where(row.user_id == user, row.puzzle == puzzle).values(again=moves)
        await self._write(changing)

    async def results(
        self, puzzle: str, before: datetime, guild: DiscordId, limit: int
    ) -> tuple[int, int, tuple[DiscordId, ...]]:
        """Return how many members of a server have ended a puzzle before a time, and how many have solved it.

        The third value are the first `limit` of those who have solved it and chose to be listed.
        """
        row = PuzzleAttemptRow
        theirs = row.puzzle == puzzle, row.ended_at < before, row.guild == guild
        unlisted = exists().where(MemberRow.user_id == row.user_id, MemberRow.listed.is_(False))
        counts = select(func.count(), func.count().filter(row.solved.is_(True))).where(*theirs)
        first = select(row.user_id).where(*theirs, row.solved.is_(True), ~unlisted)
        first = first.order_by(row.ended_at, row.user_id).limit(limit)
        return await self._read(lambda it: (*it.execute(counts).one(), tuple(it.scalars(first))))

    async def solved_days(self, user: DiscordId) -> list[tuple[date, datetime]]:
        """Return each day whose puzzle a member has solved, and when they did; the last day first."""
        row = PuzzleAttemptRow
        query = (
            select(PuzzleDayRow.day, row.ended_at)
            .join(row, row.puzzle == PuzzleDayRow.puzzle)
            .where(row.user_id == user, row.solved.is_(True))
            .order_by(PuzzleDayRow.day.desc())
        )
        return [(day, ended) for day, ended in await self._rows(query) if ended is not None]

    async def skills(self, puzzles: Collection[str]) -> dict[str, Skill]:
        """Return the skills of those of these puzzles that somebody has ended, by name."""
        query = select(PuzzleSkillRow).where(PuzzleSkillRow.puzzle.in_(puzzles))
        return {row.puzzle: row.skill for row in await self._scalars(query)}

    async def solver(self, user: DiscordId) -> Solver:
        row = await self._get(PuzzleSolverRow, user)
        return Solver() if row is None else Solver(row.skill, row.ended, row.solved)


RUNS_KEPT_FOR = timedelta(days=14)
"""The time for which the runs of a member are remembered."""


class PuzzleRunStore(StorePart):
    """The puzzle runs of members."""

    async def begin(self, user: DiscordId, guild: DiscordId | None, now: datetime, puzzle: str) -> PuzzleRun:
        """Store a run that begins with this puzzle, and delete old runs of the member."""
        old = delete(PuzzleRunRow).where(
            PuzzleRunRow.user_id == user, PuzzleRunRow.begun_at < now - RUNS_KEPT_FOR
        )
        async with self._sessions.write() as session:
            await add_members(session, [user])
            await session.execute(old)
            row = PuzzleRunRow(
                user_id=user, guild=guild, begun_at=now, puzzle=puzzle, moves=(), solved=0, mistakes=0
            )
            session.add(row)
            await session.flush()
            return row.value()

    async def get(self, run: int) -> PuzzleRun | None:
        """Return a run, or None if it does not exist."""
        row = await self._get(PuzzleRunRow, run)
        return None if row is None else row.value()

    async def keep(self, before: PuzzleRun, after: PuzzleRun) -> None:
        """Store a run after another move. Raises AttemptMovedOn if it is not as in `before`."""
        row = PuzzleRunRow
        changing = (
            update(row)
            .where(
                row.id == before.id,
                row.solved == before.solved,
                row.mistakes == before.mistakes,
                row.moves == before.moves,
            )
            .values(puzzle=after.puzzle, moves=after.moves, solved=after.solved, mistakes=after.mistakes)
        )
        if not await self._write(changing):
            raise AttemptMovedOn

    async def best(self, guild: DiscordId, since: datetime, limit: int) -> list[tuple[DiscordId, int]]:
        """Return the members of a server with their best run since a time: the best first, without runs of nothing.

        Members who chose not to be listed are left out.
        """
        row, most = PuzzleRunRow, func.max(PuzzleRunRow.solved)
        unlisted = exists().where(MemberRow.user_id == row.user_id, MemberRow.listed.is_(False))
        query = (
            select(row.user_id, most)
            .where(row.guild == guild, row.begun_at >= since, row.solved > 0, ~unlisted)
            .group_by(row.user_id)
            .order_by(most.desc(), row.user_id)
            .limit(limit)
        )
        return [(user, solved) for user, solved in await self._rows(query)]

    async def best_of(self, user: DiscordId, since: datetime) -> int:
        """Return how many puzzles a member has solved in their best run since a time; 0 without a run."""
        row = PuzzleRunRow
        query = select(func.max(row.solved)).where(row.user_id == user, row.begun_at >= since)
        return await self._scalar(query) or 0


async def _update_daily(session: AsyncSession, guild: DiscordId, puzzle: str, at: datetime) -> None:
    """Have the daily posts of a server that show this puzzle updated at `at`.

    A post whose message was given up stays without a message.
    """
    days = await session.scalars(select(PuzzleDayRow.day).where(PuzzleDayRow.puzzle == puzzle))
    theirs = (
        PostRow.kind == PostKind.PUZZLE,
        PostRow.subject == guild,
        PostRow.key.in_([str(day) for day in days]),
    )
    maintained = or_(PostRow.message.is_not(None), PostRow.shown.is_(None))
    due_at = case((PENDING, PostRow.due_at), else_=literal(at, PostRow.due_at.type))
    changing = update(PostRow).where(*theirs, maintained)
    await session.execute(changing.values(version=PostRow.version + 1, due_at=due_at))


async def _rate(session: AsyncSession, attempt: Attempt, solved: bool, start: Skill) -> None:
    """Change the skills of a member and of a puzzle by an attempt that has ended, whose row must be locked."""
    puzzles = inserting(session, PuzzleSkillRow).values(puzzle=attempt.puzzle, mu=start.mu, sigma=start.sigma)
    await session.execute(puzzles.on_conflict_do_nothing(index_elements=["puzzle"]))
    solvers = inserting(session, PuzzleSolverRow).values(
        user_id=attempt.user, mu=NEWCOMER.mu, sigma=NEWCOMER.sigma, ended=0, solved=0
    )
    await session.execute(solvers.on_conflict_do_nothing(index_elements=["user_id"]))
    # Always in this order, so that of two attempts neither waits for the other.
    puzzle = await session.get_one(PuzzleSkillRow, attempt.puzzle, with_for_update=True)
    solver = await session.get_one(PuzzleSolverRow, attempt.user, with_for_update=True)
    after, its = rate_attempt(solver.skill, puzzle.skill, solved=solved)
    solver.mu, solver.sigma = after.mu, after.sigma
    solver.ended, solver.solved = solver.ended + 1, solver.solved + solved
    puzzle.mu, puzzle.sigma = its.mu, its.sigma


class WeekStore(StorePart):
    """Matches of a server in a span of time, without results that were taken back.

    Matches with computer players, former members or members who chose not to be listed are left out.
    """

    async def longest(
        self, guild: DiscordId, since: datetime, until: datetime, usual_since: datetime, limit: int
    ) -> Sequence[int]:
        """Return at most `limit` ids of matches, by their numbers of entries in relation to the average of their kind.

        The matches finished in this time and were played to their end. Matches of the same kind have the same game,
        options and number of players; those that finished there between `usual_since` and `until` give the average.
        """
        theirs = FINISHED, MatchRow.guild == guild, MatchRow.void.is_(None), MatchRow.finished_at < until
        kind = MatchRow.game, MatchRow.options, MatchRow.players
        usual = (
            select(*kind, func.avg(MatchRow.plies).label("plies"))
            .where(*theirs, MatchRow.finished_at >= usual_since)
            .group_by(*kind)
            .subquery("usual")
        )
        broken_off = exists().where(
            PlyRow.match_id == MatchRow.id,
            PlyRow.ply == MatchRow.plies - 1,
            PlyRow.text.in_((*LEAVING, DRAW)),
        )
        hidden = exists().where(
            SeatRow.match_id == MatchRow.id, or_(SeatRow.user_id < 0, _hidden(SeatRow.user_id))
        )
        query = (
            select(MatchRow.id)
            .join(usual, and_(*(column == usual.c[column.key] for column in kind)))
            .where(*theirs, MatchRow.finished_at >= since, MatchRow.plies > 0, ~broken_off, ~hidden)
            .order_by((MatchRow.plies / usual.c.plies).desc(), MatchRow.plies.desc(), MatchRow.id)
            .limit(limit)
        )
        return await self._scalars(query)

    async def rivals(
        self, guild: DiscordId, since: datetime, until: datetime, limit: int
    ) -> Sequence[tuple[DiscordId, DiscordId]]:
        """Return at most `limit` pairs of members who finished a rated match together in this time.

        Those who finished the most come first. The first member of a pair has the lower id.
        """
        one, other = aliased(SeatRow), aliased(SeatRow)
        query = (
            select(one.user_id, other.user_id)
            .join(other, and_(other.match_id == one.match_id, one.user_id < other.user_id))
            .join(MatchRow, MatchRow.id == one.match_id)
            .where(
                FINISHED,
                MatchRow.guild == guild,
                MatchRow.finished_at >= since,
                MatchRow.finished_at < until,
                MatchRow.rated,
                MatchRow.void.is_(None),
                one.user_id > 0,
                ~_hidden(one.user_id),
                ~_hidden(other.user_id),
            )
            .group_by(one.user_id, other.user_id)
            .order_by(func.count().desc(), one.user_id, other.user_id)
            .limit(limit)
        )
        return [(first, second) for first, second in await self._rows(query)]


def _hidden(user: InstrumentedAttribute[int]) -> ColumnElement[bool]:
    """Return the condition that a player is not listed or is a computer player."""
    chosen = exists().where(MemberRow.user_id == user, or_(MemberRow.listed.is_(False), MemberRow.computer))
    return or_(user.in_(COMPUTER_PLAYERS), chosen)


_TWO = 2
"""The players of a match that is searched."""


class MomentStore(StorePart):
    """The games that were searched for moments, and the moments that were found.

    The moments of a match go with its result, those of a member with their data.
    """

    async def to_search(
        self, games: Collection[str], since: datetime, until: datetime, limit: int
    ) -> Sequence[int]:
        """Return the ids of matches that finished in this time and were not searched yet, the last first.

        At most `limit`. Only matches of these games between two players in servers, with a result that was not taken
        back and players who have not had their data deleted, are searched.
        """
        left = select(SeatRow.match_id).where(SeatRow.match_id == MatchRow.id, SeatRow.user_id < 0).exists()
        query = (
            select(MatchRow.id)
            .where(
                UNSEARCHED,
                MatchRow.finished_at.between(since, until),
                MatchRow.players == _TWO,
                MatchRow.game.in_(games),
                ~left,
            )
            .order_by(MatchRow.finished_at.desc(), MatchRow.id.desc())
            .limit(limit)
        )
        return await self._scalars(query)

    async def keep(self, match: int, moments: Sequence[Moment]) -> None:
        """Note that a match was searched, with its moments. Nothing is kept if it was searched before.

        Moments of a match whose result was taken back, or of a former member, are not kept.
        """
        async with self._sessions.write() as session:
            row = await session.get(MatchRow, match, with_for_update=True)
            if row is None or row.searched:
                return
            row.searched = True
            if row.guild is None or row.void is not None:
                return
            # Locked, so that a member whose data is deleted meanwhile is a former member here, or waits.
            seats = select(SeatRow).where(SeatRow.match_id == match).order_by(SeatRow.seat).with_for_update()
            users = {seat.seat: seat.user_id for seat in await session.scalars(seats)}
            session.add_all(
                MomentRow(
                    match_id=match,
                    guild=row.guild,
                    user_id=users[it.seat],
                    **named(it, "puzzle"),
                    line=it.puzzle.line,
                    value=it.puzzle.value,
                    plies=it.puzzle.plies,
                    worth=it.worth,
                )
                for it in moments
                if not former(users[it.seat])
            )

    async def get(self, match: int, ply: int) -> StoredMoment | None:
        """Return the moment of a match after so many moves, or None."""
        if max(match, ply) > HIGHEST:
            return None
        found = await self._moments(_moments().where(MomentRow.match_id == match, MomentRow.ply == ply))
        return found[0] if found else None

    async def of_match(self, match: int) -> list[StoredMoment]:
        """Return the moments of a match, in the order of the game."""
        return await self._moments(_moments().where(MomentRow.match_id == match).order_by(MomentRow.ply))

    async def newest(self, guild: DiscordId, limit: int) -> list[StoredMoment]:
        """Return at most `limit` moments of a server's matches, those of the newest match first."""
        query = _moments().where(MomentRow.guild == guild)
        return await self._moments(
            query.order_by(MomentRow.match_id.desc(), MomentRow.ply.desc()).limit(limit)
        )

    async def best(
        self, guild: DiscordId, since: datetime, until: datetime, limit: int
    ) -> list[StoredMoment]:
        """Return at most `limit` moments of a server's matches that finished in this time, the worthiest first."""
        when = and_(MatchRow.guild == guild, MatchRow.finished_at >= since, MatchRow.finished_at < until)
        order = MomentRow.worth.desc(), MomentRow.plies.desc(), MomentRow.match_id, MomentRow.ply
        return await self._moments(_moments().where(when).order_by(*order).limit(limit))

    async def _moments(self, query: Select[MomentRow, str]) -> list[StoredMoment]:
        found = await self._rows(query)
        return [it.read_as(StoredMoment, match=it.match_id, user=it.user_id, game=game) for it, game in found]


def _moments() -> Select[MomentRow, str]:
    return select(MomentRow, MatchRow.game).join(MatchRow, MatchRow.id == MomentRow.match_id)
