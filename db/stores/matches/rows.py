"""Matches and their rows: the only place in which a match is read from its rows, or a new one is written to them.

A match is read in one statement with all that playing on and showing it needs. A second statement reads its log, as far
as it is not known: a log only grows.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from itertools import accumulate, chain, pairwise, zip_longest
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Executable,
    Row,
    Select,
    String,
    and_,
    bindparam,
    cast,
    exists,
    func,
    null,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from db.models import (
    FollowerRow,
    MatchRow,
    MemberRow,
    PlyRow,
    PostRow,
    ProposalRow,
    SeatRow,
    ServerRow,
    VariationRow,
)
from db.stores.base import named, run_at_once
from db.stores.posts import add_post
from db.types import Options
from db.values.clocks import SeatClock, stopped_until
from db.values.matches import (
    OPTION_NAMES,
    Beginning,
    MatchContext,
    MatchOptions,
    Outcome,
    PositionKeys,
    StoredMatch,
    Turns,
    viewer_of,
)
from db.values.members import COMPUTER_PLAYERS, Member
from db.values.places import DiscordId, Place
from db.values.posts import Post, PostKind
from db.values.servers import ServerSettings
from rules.core.match import Ply, Setup


class _Match(NamedTuple):
    """The columns of a match that are read."""

    id: int
    game: str
    options: Options
    players: int
    version: int
    guild: DiscordId | None
    channel: DiscordId
    home: DiscordId | None
    plies: int
    started_at: datetime
    finished_at: datetime | None
    void: str | None
    paused_until: datetime | None
    turns: Turns | None
    first_game: int | None


class _Seat(NamedTuple):
    """The columns of a seat that are read."""

    seat: int
    user_id: DiscordId
    leaver: DiscordId | None
    outcome: Outcome | None
    hinted: bool
    time_left: timedelta | None
    deadline: datetime | None
    remind_at: datetime | None

    @property
    def clock(self) -> SeatClock | None:
        return None if self.time_left is None else SeatClock(self.time_left, self.deadline, self.remind_at)


def _columns(row: Any, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in names)


def _names(value: type[Member | ServerSettings | Post]) -> list[str]:
    return [field.name for field in fields(value)]


_elsewhere = aliased(SeatRow)
_ELSEWHERE = (
    select(func.aggregate_strings(cast(_elsewhere.match_id, String), " "))
    .where(
        # A computer player may have thousands of matches; TEAMS are between them.
        ~SeatRow.user_id.between(min(COMPUTER_PLAYERS), max(COMPUTER_PLAYERS)),
        _elsewhere.user_id == SeatRow.user_id,
        _elsewhere.outcome.is_(None),
        _elsewhere.finished_at.is_(None),
        _elsewhere.match_id != SeatRow.match_id,
    )
    .scalar_subquery()
)
"""The ids of the other running matches of a member, with spaces between; NULL if there are none."""
_FOLLOWERS = select(func.count()).where(FollowerRow.match_id == MatchRow.id).scalar_subquery()
_copy = aliased(PostRow)
COPIED = exists().where(_copy.kind == PostKind.COPY, _copy.subject == MatchRow.id)
"""True for a match that a board in another server shows, too."""
_OTHER_MATCHES = (_ELSEWHERE.label("elsewhere"),)
# The columns of each part are in the order of the fields of the value that is made of them.
_PARTS: tuple[Sequence[Any], ...] = (
    _columns(MatchRow, _Match._fields),
    _columns(MatchRow, OPTION_NAMES),
    (exists().where(ProposalRow.match_id == MatchRow.id).label("proposals"),),
    (exists().where(VariationRow.match_id == MatchRow.id).label("variations"),),
    _columns(SeatRow, _Seat._fields),
    (MemberRow.user_id, *_columns(MemberRow, _names(Member)[1:])),
    (ServerRow.guild_id, *_columns(ServerRow, _names(ServerSettings)[1:])),
    _columns(PostRow, _names(Post)),
    _OTHER_MATCHES,
    (_FOLLOWERS.label("followers"),),
    (COPIED.label("copied"),),
)
_MATCH, _OPTIONS, _PROPOSED, _FORESEEN, _SEAT, _MEMBER, _SERVER, _POST, _OTHERS, _FOLLOWED, _SHARED = (
    slice(*ends) for ends in pairwise(accumulate(map(len, _PARTS), initial=0))
)
"""The columns of each part in a row of the query."""


def _query(parts: Iterable[Sequence[Any]]) -> Select[Any]:
    """Return the query for these columns, a row for each seat."""
    return (
        select(*chain.from_iterable(parts))
        .outerjoin(SeatRow, SeatRow.match_id == MatchRow.id)
        .outerjoin(MemberRow, MemberRow.user_id == SeatRow.user_id)
        .outerjoin(ServerRow, ServerRow.guild_id == MatchRow.guild)
        .outerjoin(PostRow, and_(PostRow.kind == PostKind.BOARD, PostRow.subject == MatchRow.id))
        .order_by(MatchRow.id, SeatRow.seat)
    )


_ONE = _query(_PARTS).where(MatchRow.id == bindparam("match"))
# Beside each of several matches, the ids of all others of a busy member would take long.
_SOME = _query((null(),) if part is _OTHER_MATCHES else part for part in _PARTS).where(
    MatchRow.id.in_(bindparam("matches", expanding=True))
)
_LOG = (
    select(
        PlyRow.match_id,
        PlyRow.ply,
        PlyRow.seat,
        PlyRow.text,
        PlyRow.salt,
        PlyRow.played_at,
        PlyRow.conditional,
    )
    .where(PlyRow.ply >= bindparam("known"))
    .order_by(PlyRow.match_id, PlyRow.ply)
)
_ONE_LOG = _LOG.where(PlyRow.match_id == bindparam("match"))
_SOME_LOGS = _LOG.where(PlyRow.match_id.in_(bindparam("matches", expanding=True)))


@dataclass(slots=True)
class _Log:
    """The entries of a log, their salts and their times, and the indices of the conditional ones."""

    entries: tuple[Ply, ...] = ()
    salts: tuple[str | None, ...] = ()
    times: tuple[datetime, ...] = ()
    conditional: frozenset[int] = frozenset()


def find_match(connection: Connection, match: int, known: StoredMatch | None) -> StoredMatch | None:
    """Return a match with its context, or None. `known` is the match as it was read earlier."""
    return _read(connection, [match], {} if known is None else {match: known}).get(match)


def read_match(connection: Connection, match: int, known: StoredMatch | None = None) -> StoredMatch:
    """Return a match as `find_match` does. Raises LookupError if it does not exist."""
    found = find_match(connection, match, known)
    if found is None:
        raise LookupError(f"there is no match {match}")
    return found


def read_matches(connection: Connection, matches: Sequence[int]) -> list[StoredMatch]:
    """Return those of the matches that exist, in the given order.

    Two statements read any number of matches, and two more the first games of two-game matches among them.
    """
    found = _read(connection, matches, {})
    return [found[match] for match in matches if match in found]


def _read(
    connection: Connection, matches: Collection[int], known: Mapping[int, StoredMatch]
) -> dict[int, StoredMatch]:
    """Return matches by their ids. `known` are matches as they were read earlier."""
    rows: defaultdict[int, list[Row[Any]]] = defaultdict(list)
    for row in _execute(connection, _ONE, _SOME, matches):
        rows[row[0]].append(row)
    values = {match: _Match(*its[0][_MATCH]) for match, its in rows.items()}
    logs = _logs(connection, values, known)
    firsts: dict[int, StoredMatch] = {}
    if of_two := {its.first_game for its in values.values() if its.first_game is not None}:
        read = {it.first.id: it.first for it in known.values() if it.first is not None}
        firsts = _read(connection, of_two, read)
    return {
        match: _value(its, rows[match], logs[match], firsts.get(its.first_game or 0))
        for match, its in values.items()
    }


def _execute(
    connection: Connection, one: Executable, some: Executable, matches: Collection[int], **values: int
) -> Iterable[Row[Any]]:
    """Execute the query for one match, which costs less at every move, or the query for several."""
    if len(matches) == 1:
        return connection.execute(one, {"match": next(iter(matches)), **values})
    return connection.execute(some, {"matches": list(matches), **values}) if matches else ()


def _value(match: _Match, rows: Sequence[Row[Any]], log: _Log, first: StoredMatch | None) -> StoredMatch:
    """Return a match from its rows, one for each seat."""
    options = dict(zip(OPTION_NAMES, rows[0][_OPTIONS], strict=True))
    seats = [_Seat(*row[_SEAT]) for row in rows if row[_SEAT][0] is not None]
    users = tuple(seat.user_id for seat in seats)
    return StoredMatch(
        id=match.id,
        setup=Setup(match.game, match.options, match.players),
        version=match.version,
        place=Place(match.guild, match.channel, match.home, viewer_of(users) if options["private"] else None),
        users=users,
        log=log.entries,
        salts=log.salts,
        started_at=match.started_at,
        finished_at=match.finished_at,
        outcomes=tuple(seat.outcome for seat in seats if seat.outcome is not None) or None,
        times=log.times,
        conditional=log.conditional,
        clocks=() if options["time_control"] is None else tuple(seat.clock for seat in seats),
        void=match.void,
        paused_until=match.paused_until,
        hinted=frozenset(seat.seat for seat in seats if seat.hinted),
        leavers=tuple(seat.leaver for seat in seats) if any(seat.leaver for seat in seats) else (),
        turns=match.turns,
        first=first,
        context=_context(match, seats, rows),
        post=None if rows[0][_POST][0] is None else Post(*rows[0][_POST]),
        **options,
    )


def _context(match: _Match, seats: Sequence[_Seat], rows: Sequence[Row[Any]]) -> MatchContext:
    """Return the choices of the players and of the server, or the defaults."""
    members = (row[_MEMBER] for row in rows)
    server = rows[0][_SERVER]
    return MatchContext(
        tuple(
            Member(seat.user_id) if member[0] is None else Member(*member)
            for seat, member in zip(seats, members, strict=False)
        ),
        ServerSettings(match.guild or 0) if server[0] is None else ServerSettings(*server),
        rows[0][_PROPOSED][0],
        {
            seat.user_id: tuple(map(int, row[_OTHERS][0].split()))
            for seat, row in zip(seats, rows, strict=False)
            if row[_OTHERS][0]
        },
        rows[0][_FOLLOWED][0],
        rows[0][_FORESEEN][0],
        rows[0][_SHARED][0],
    )


def _logs(
    connection: Connection, matches: Mapping[int, _Match], known: Mapping[int, StoredMatch]
) -> dict[int, _Log]:
    """Return the logs of matches. Only the entries that are not known are read."""
    logs = {match: _Log() for match in matches}
    for match, its in known.items():
        if match in logs and len(its.log) <= matches[match].plies:
            logs[match] = _Log(its.log, its.salts, its.times, its.conditional)
    missing = [match for match, log in logs.items() if len(log.entries) < matches[match].plies]
    if missing:
        new: defaultdict[int, list[Any]] = defaultdict(list)
        first = min(len(logs[match].entries) for match in missing)
        for row in _execute(connection, _ONE_LOG, _SOME_LOGS, missing, known=first):
            if row.ply >= len(logs[row.match_id].entries):
                new[row.match_id].append(row)
        for match, rows in new.items():
            log = logs[match]
            log.entries += tuple(Ply(row.seat, row.text) for row in rows)
            log.salts += tuple(row.salt for row in rows)
            log.times += tuple(row.played_at for row in rows)
            log.conditional |= {row.ply for row in rows if row.conditional}
    return logs


async def add_match(
    session: AsyncSession,
    setup: Setup,
    options: MatchOptions,
    place: Place,
    users: Sequence[DiscordId],
    begun: Beginning,
    at: datetime,
    first_game: int | None = None,
) -> int:
    """Store a new match with its board in the outbox. Return its id. The clocks of members who are away stand still.

    The board of a private match belongs to no server: no background task can show it, only an answer to its member.
    """
    absent = await _absences(session, options, users)
    clocks = [
        clock and clock.not_before(stopped_until(options.time_control, None, absent.get(user)))
        for user, clock in zip(users, begun.clocks, strict=False)
    ]
    row = MatchRow(
        **named(setup),
        version=begun.version,
        guild=place.guild,
        channel=place.channel,
        home=place.parent,
        plies=0,
        first_game=first_game,
        started_at=at,
        wakes_at=min((it for it in absent.values() if it is not None and it > at), default=None),
        seats=[
            SeatRow(seat=seat, user_id=user, clock=clock)
            for seat, (user, clock) in enumerate(zip_longest(users, clocks))
        ],
        **options.by_name(),
        **key_columns(begun.position, 0),
    )
    session.add(row)
    await session.flush()
    shown_at = Place(None, place.channel) if options.private else place
    await run_at_once(session, add_post, PostKind.BOARD, row.id, shown_at, at)
    return row.id


async def _absences(
    session: AsyncSession, options: MatchOptions, users: Sequence[DiscordId]
) -> Mapping[DiscordId, datetime | None]:
    """Return the end of the last absence of these members; nothing for a private match, which shows no absence.

    Their rows are locked, so that somebody who goes away meanwhile waits for the match.
    """
    if options.private:
        return {}
    theirs = select(MemberRow.user_id, MemberRow.absent_until).where(MemberRow.user_id.in_(users))
    found = await session.execute(theirs.order_by(MemberRow.user_id).with_for_update(read=True))
    return {it.user_id: it.absent_until for it in found}


def key_columns(position: PositionKeys | None, plies: int) -> dict[str, int | None]:
    """Return the columns of a match that hold the keys of its position after so many plies; all None if unknown."""
    recent = () if position is None else position.recent
    names = ("newest_key", "key_before", "earliest_key")
    return dict(zip_longest(names, recent)) | {"keyed_plies": None if position is None else plies}


_FACED = (
    update(SeatRow)
    .where(SeatRow.match_id == bindparam("match"), SeatRow.seat == bindparam("of"))
    .values(faced=bindparam("text"))
)


def store_faced(connection: Connection, match: int, position: PositionKeys) -> None:
    """Store what the seats of a match face, if anybody may ask for it."""
    if position.faced:
        seats = [{"match": match, "of": seat, "text": text} for seat, text in enumerate(position.faced)]
        connection.execute(_FACED, seats)
