"""Reverting the results of rated matches, and recomputing in chunks the ratings that follow from them.

A reverted match leaves a copy of its seats, with the skills before it. A job then walks through all later matches in
the order in which they were rated. The correct skills of players at its cursor, as far as they differ from the stored
ones, are stored with the cursor. So every chunk is a transaction of its own, and a job continues after a kill.

- A match that ends meanwhile is rated by the stored ratings. It comes after the cursor, so the job rates it again.
- A result that is reverted meanwhile is applied when the cursor reaches it. If the cursor has passed it, the job starts
  again from there after its end; all results that wait for this share the next pass.
- At the end the correct skills are copied to the ratings, in chunks too. If a match ends between two of these chunks,
  the job rates it again before it goes on."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    Connection,
    LargeBinary,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    type_coerce,
    update,
)

from db.models import Base, CorrectedSkillRow, RatedRow, RatedSeatRow, RatingJobRow, RevertedSeatRow
from db.rating_math import (
    DAY,
    expired,
    has_rank,
    held_after,
    leaderboards_of,
    moved,
    outcomes_of,
    periods_of,
    week_of,
    weight,
)
from db.stores.base import inserting, named
from db.stores.standings.rows import (
    RATINGS,
    Shift,
    counting,
    forget_rated,
    keep_count,
    own_ratings,
    rating_of,
    ratings_on,
    recent_meetings,
    uncounted,
    write_ratings,
)
from db.types import PackedSkills
from db.values.members import is_computer
from db.values.places import DiscordId, former
from db.values.standings import ALWAYS, CHUNK, HeldSkill, Leaderboard, Skill

COMPUTING_S = 0.02
"""Seconds after which a chunk rates no further match. Storing them takes about as long again."""
COPIED = 50
"""The number of correct skills that a chunk copies to the ratings at most."""
AT_ONCE = 10
"""The number of later matches that are rated again in the transaction that reverts a result."""

Entry = tuple[Leaderboard, DiscordId]
"""A player on a leaderboard."""

_JOB = Base.metadata.tables[RatingJobRow.__tablename__]
_RATED = Base.metadata.tables[RatedRow.__tablename__]
_SEATS = Base.metadata.tables[RatedSeatRow.__tablename__]
_REVERTED = Base.metadata.tables[RevertedSeatRow.__tablename__]
_CORRECTED = Base.metadata.tables[CorrectedSkillRow.__tablename__]
_CORRECTED_KEY = tuple(column.name for column in _CORRECTED.primary_key)


def recompute(connection: Connection, at: datetime, games: int, now: Callable[[], float]) -> bool:
    """Run one chunk of the job, of at most `games` matches. Return True if the job is still open."""
    own_ratings(connection)
    begun = now()
    return _advance(connection, at, games, lambda _: now() - begun > COMPUTING_S)


def job_is_open(connection: Connection) -> bool:
    """Return True while ratings are being recomputed."""
    return connection.scalar(select(_JOB.c.id)) is not None


def revert(connection: Connection, match: int, at: datetime) -> None:
    """Change all ratings to what they would be if a match had never been rated. Its row must be locked.

    The counts of games change now, and the skills too if only a few later matches must be rated again. Otherwise the
    job changes them. Nothing happens if the match was not rated.
    """
    own_ratings(connection)
    seats = connection.execute(_games().where(_RATED.c.match_id == match)).all()
    if not seats:
        return
    present = [seat for seat in seats if not former(seat.user_id)]
    if present:
        copied = ("seat", "user_id", "at", "before", "game", "guild", "everywhere")
        copies = select(_RATED.c.id, *(_SEATS.c[name] for name in copied)).join(
            _RATED, _RATED.c.match_id == _SEATS.c.match_id
        )
        copies = copies.where(
            _SEATS.c.match_id == match, _SEATS.c.user_id.in_([it.user_id for it in present])
        )
        connection.execute(insert(_REVERTED).from_select(["rated_id", *copied], copies))
    forget_rated(connection, match)
    _uncount(connection, seats, at)
    if present and not job_is_open(connection):
        connection.execute(insert(_JOB).values(id=1, cursor=seats[0].id - 1))
        _advance(connection, at, CHUNK, lambda rated: rated >= AT_ONCE)


def _uncount(connection: Connection, seats: Sequence[Row[Any]], at: datetime) -> None:
    """Count one game less for the players of a match. Ratings without any game are deleted."""
    outcomes = outcomes_of([seat.rank for seat in seats])
    leaderboards = [it for it in _leaderboards(seats[0]) if not expired(it.period, at)]
    ratings = ratings_on(connection, leaderboards, [seat.user_id for seat in seats])
    changed = [
        (rating, uncounted(rating, outcome))
        for seat, outcome in zip(seats, outcomes, strict=True)
        for leaderboard in leaderboards
        if (rating := ratings.get((leaderboard, seat.user_id))) is not None
    ]
    write_ratings(connection, (now for _, now in changed if now.games))
    gone = [was for was, now in changed if not now.games]
    for it in gone:
        key = (RATINGS.c.guild, RATINGS.c.period, RATINGS.c.game, RATINGS.c.user_id)
        values = (it.leaderboard.guild, it.leaderboard.period, it.leaderboard.game, it.user)
        connection.execute(
            delete(RATINGS).where(*(column == value for column, value in zip(key, values, strict=True)))
        )
    keep_count(connection, [Shift(it.leaderboard, counting(it), None) for it in gone])


def _advance(connection: Connection, at: datetime, games: int, enough: Callable[[int], bool]) -> bool:
    """Run one chunk of the job, of at most this number of games. Return True if the job is still open.

    `enough` is asked after each match, with the number of matches that were rated again so far.
    """
    cursor = connection.scalar(select(_JOB.c.cursor))
    if cursor is None:
        return False
    chunk = _Chunk(connection, cursor, games)
    chunk.run(enough)
    chunk.store()
    return not chunk.at_end or _finish(connection, at)


class _Chunk:
    """A chunk of the matches after the cursor, with the correct skills of their players at the cursor."""

    def __init__(self, connection: Connection, cursor: int, games: int) -> None:
        self.cursor = cursor
        self._connection = connection
        rated = select(_RATED.c.id).where(_RATED.c.id > cursor).order_by(_RATED.c.id)
        reverted = select(_REVERTED.c.rated_id).where(
            _REVERTED.c.rated_id > cursor, _REVERTED.c.applied.is_(False)
        )
        reverted = reverted.distinct().order_by(_REVERTED.c.rated_id)
        found = {*connection.scalars(rated.limit(games)), *connection.scalars(reverted.limit(games))}
        self._numbers = sorted(found)[:games]
        self._last = len(found) < games
        self._games: dict[int, list[Row[Any]]] = {}
        self._reverts: dict[int, list[Row[Any]]] = {}
        self._held: dict[Entry, HeldSkill] = {}
        if self._numbers:
            self._load(self._numbers[-1])
        self._users = {user for _, user in self._held}
        self._stored = dict(self._held)
        self._befores: list[dict[str, Any]] = []
        self._weights: list[dict[str, Any]] = []
        self._applied: list[dict[str, Any]] = []

    @property
    def at_end(self) -> bool:
        """Return True if no match is left after the cursor."""
        return self._last and (not self._numbers or self.cursor == self._numbers[-1])

    def _load(self, last: int) -> None:
        games = _games().where(_RATED.c.id > self.cursor, _RATED.c.id <= last)
        rows = self._connection.execute(games).all()
        self._games = {number: list(seats) for number, seats in groupby(rows, key=attrgetter("id"))}
        # Earlier ones too, since the weight of a match depends on those of the day before.
        here = _REVERTED.c.rated_id > self.cursor
        if rows:
            here = or_(here, _REVERTED.c.at > min(row.at for row in rows) - DAY)
        reverts = select(_REVERTED).where(_REVERTED.c.rated_id <= last, here)
        reverts = reverts.order_by(_REVERTED.c.rated_id, _REVERTED.c.seat)
        back = self._connection.execute(reverts).all()
        self._reverts = {number: list(seats) for number, seats in groupby(back, key=attrgetter("rated_id"))}
        present = {row.user_id for row in (*rows, *back) if not former(row.user_id)}
        periods = {period for row in (*rows, *back) for period in periods_of(row.at)}
        corrected = select(_CORRECTED).where(
            _CORRECTED.c.user_id.in_(present), _CORRECTED.c.period.in_(periods)
        )
        self._held = dict(map(_corrected, self._connection.execute(corrected)))

    def run(self, enough: Callable[[int], bool]) -> None:
        """Process the matches in order, until that is `enough`."""
        rated = 0
        for number in self._numbers:
            if number in self._games:
                rated += self._rate_again(self._games[number])
            else:
                self._revert(self._reverts[number])
                self._applied.append({"its_id": number})
            self.cursor = number
            if enough(rated):
                return

    def _revert(self, seats: Sequence[Row[Any]]) -> None:
        """Give the players of a reverted match the skills that they had before it."""
        for seat in seats:
            self._users.add(seat.user_id)
            for leaderboard, held in zip(_leaderboards(seat), seat.before, strict=False):
                if has_rank(seat.user_id, leaderboard):
                    self._held.setdefault((leaderboard, seat.user_id), held)

    def _rate_again(self, seats: Sequence[Row[Any]]) -> bool:
        """Rate a match again on the leaderboards where something has changed before it. Return True if there are any.

        The skills of computer players do not change, only the week of their last game: nothing follows from them.
        """
        game = seats[0]
        users = [seat.user_id for seat in seats]
        share = self._weight(game, users)
        if share == game.weight and self._users.isdisjoint(users):
            return False
        leaderboards = _leaderboards(game)
        held = [[self._held.get((it, user)) for it in leaderboards] for user in users]
        members = [not former(user) and not is_computer(user) for user in users]
        which = [
            number
            for number in range(len(leaderboards))
            if share != game.weight or any(it[number] is not None for it in held)
        ]
        if not which:
            return False
        stored = [list(self._unpacked(seat.before)) for seat in seats]
        before = [
            [own if own is not None else was for own, was in zip(new, old, strict=False)]
            for new, old in zip(held, stored, strict=True)
        ]
        some = [leaderboards[number] for number in which]
        start = [[it[number] for number in which] for it in before]
        after = held_after(some, start, [seat.rank for seat in seats], share, game.at, users)
        for place, number in enumerate(which):
            leaderboard = leaderboards[number]
            follows = share != game.weight or any(
                it[number] is not None for it, member in zip(held, members, strict=True) if member
            )
            for seat, user in enumerate(users):
                now = after[seat][place]
                if members[seat]:
                    if follows:
                        self._held[leaderboard, user] = now
                        self._users.add(user)
                elif held[seat][number] is not None:
                    week = week_of(game.at) if leaderboard.period == ALWAYS else 0
                    was = stored[seat][number]
                    if moved(was, was.skill, week) == now:
                        del self._held[leaderboard, user]
                    else:
                        self._held[leaderboard, user] = now
        self._befores += [
            {
                "its_match": game.match_id,
                "its_seat": seat.seat,
                "its_before": (*new, *old[len(new) :]),
            }
            for seat, new, old in zip(seats, before, stored, strict=True)
            if new != old
        ]
        if share != game.weight:
            self._weights.append({"its_id": game.id, "its_weight": share})
        return True

    def _weight(self, game: Row[Any], users: Sequence[DiscordId]) -> float:
        """Return the weight of a match, which depends on earlier ones of the same players within a day."""
        met = (
            seats
            for number, seats in self._reverts.items()
            if number < game.id and seats[0].game == game.game and seats[0].at > game.at - DAY
        )
        # With former members, nobody knows any more how often two of them have met.
        if any(map(former, users)) or all(len({it.user_id for it in seats} & {*users}) < 2 for seats in met):
            return float(game.weight)
        earlier = recent_meetings(self._connection, game.game, users, game.at, until=game.id)
        return weight(users, earlier.values())

    def _unpacked(self, before: bytes) -> tuple[HeldSkill, ...]:
        return _PACKED.process_result_value(before, self._connection.dialect) or ()

    def store(self) -> None:
        """Store what has changed, and the new cursor."""
        for statement, rows in (
            (_STORE_BEFORE, self._befores),
            (_STORE_WEIGHT, self._weights),
            (_STORE_APPLIED, self._applied),
        ):
            if rows:
                self._connection.execute(statement, rows)
        kept = [
            {**_key(*entry), "mu": it.skill.mu, "sigma": it.skill.sigma, "week": it.week, "was": it.was}
            for entry, it in self._held.items()
            if self._stored.get(entry) != it
        ]
        if kept:
            made = inserting(self._connection, CorrectedSkillRow)
            changes = {name: made.excluded[name] for name in ("mu", "sigma", "week", "was")}
            writing = made.on_conflict_do_update(index_elements=_CORRECTED_KEY, set_=changes)
            self._connection.execute(writing, kept)
        _drop(self._connection, [entry for entry in self._stored if entry not in self._held])
        self._connection.execute(update(_JOB).values(cursor=self.cursor))


def _finish(connection: Connection, at: datetime) -> bool:
    """Copy some correct skills to the ratings; after the last ones end the job. Return True if it is still open.

    Leaderboards that have expired at `at` stay as they are, since they will be deleted.
    """
    some = select(_CORRECTED).order_by(*_CORRECTED.primary_key).limit(COPIED).subquery()
    held = dict(map(_corrected, connection.execute(select(some))))
    same = and_(*(RATINGS.c[name] == some.c[name] for name in _CORRECTED_KEY))
    ratings = map(rating_of, connection.execute(select(RATINGS).join(some, same)))
    changed = [
        (was, replace(was, held=held[was.leaderboard, was.user]))
        for was in ratings
        if not expired(was.leaderboard.period, at)
    ]
    write_ratings(connection, (now for _, now in changed))
    keep_count(connection, [Shift(was.leaderboard, counting(was), counting(now)) for was, now in changed])
    _drop(connection, list(held))
    if len(held) == COPIED:
        return True
    connection.execute(delete(_REVERTED).where(_REVERTED.c.applied.is_(True)))
    waiting = connection.scalar(select(func.min(_REVERTED.c.rated_id)))
    if waiting is None:
        connection.execute(delete(_JOB))
        return False
    connection.execute(update(_JOB).values(cursor=waiting - 1))
    return True


def _games() -> Select[Any]:
    """Select rated matches in order, a row for each seat. The skills are packed: few of them are needed."""
    return (
        select(
            *(_RATED.c.id, _RATED.c.match_id, _RATED.c.game, _RATED.c.weight, _RATED.c.everywhere),
            *(_SEATS.c.seat, _SEATS.c.user_id, _SEATS.c.at, _SEATS.c.rank, _SEATS.c.guild),
            type_coerce(_SEATS.c.before, LargeBinary).label("before"),
        )
        .join(_SEATS, _SEATS.c.match_id == _RATED.c.match_id)
        .order_by(_RATED.c.id, _SEATS.c.seat)
    )


def _leaderboards(seat: Row[Any]) -> tuple[Leaderboard, ...]:
    """Return the leaderboards on which the match of a seat counts."""
    return leaderboards_of(seat.game, seat.guild, seat.at, everywhere=seat.everywhere)


def _corrected(row: Row[Any]) -> tuple[Entry, HeldSkill]:
    entry = (Leaderboard(row.period, row.game, row.guild), row.user_id)
    return entry, HeldSkill(Skill(row.mu, row.sigma), row.week, row.was)


def _key(leaderboard: Leaderboard, user: DiscordId) -> dict[str, Any]:
    """Return the primary key of a correct skill."""
    return {**named(leaderboard), "user_id": user}


def _drop(connection: Connection, entries: Sequence[Entry]) -> None:
    """Delete the correct skills of these players."""
    if entries:
        keys = [{f"its_{name}": value for name, value in _key(*it).items()} for it in entries]
        connection.execute(_DROP_CORRECTED, keys)


_PACKED = PackedSkills()
_STORE_BEFORE = (
    update(_SEATS)
    .where(_SEATS.c.match_id == bindparam("its_match"), _SEATS.c.seat == bindparam("its_seat"))
    .values(before=bindparam("its_before"))
)
_STORE_WEIGHT = (
    update(_RATED).where(_RATED.c.id == bindparam("its_id")).values(weight=bindparam("its_weight"))
)
_STORE_APPLIED = update(_REVERTED).where(_REVERTED.c.rated_id == bindparam("its_id")).values(applied=True)
_DROP_CORRECTED = delete(_CORRECTED).where(
    *(_CORRECTED.c[name] == bindparam(f"its_{name}") for name in _CORRECTED_KEY)
)
