"""A match read for its next move: in one statement with all that playing on and showing it needs.

The log is read only as far as it is not known, since it only grows.
"""

from collections.abc import Sequence
from dataclasses import astuple, fields, replace
from datetime import UTC, datetime
from itertools import accumulate, chain, pairwise
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, exists, insert, select, update

from db.api.clocks import ClocksMoved, SeatClock, Ticking
from db.api.matches.matches import MovedOn, PositionKeys, StoredMatch, Surroundings, Turns
from db.api.members.members import Member
from db.api.places import Place
from db.api.posts import Post, PostKind
from db.api.servers import ServerSettings
from db.models import (
    MatchRow,
    MemberRow,
    PlyRow,
    PostRow,
    ProposalRow,
    SeatRow,
    ServerRow,
)
from db.stores.matches.positions import columns, store_faced
from db.stores.posts import change_post
from rules.core.match import Ply, Setup

_MATCH = (
    MatchRow.id,
    MatchRow.game,
    MatchRow.options,
    MatchRow.players,
    MatchRow.version,
    MatchRow.guild,
    MatchRow.channel,
    MatchRow.home,
    MatchRow.plies,
    MatchRow.started_at,
    MatchRow.finished_at,
    MatchRow.time_control,
    MatchRow.void,
    MatchRow.rated,
    MatchRow.games,
    MatchRow.turns,
    MatchRow.first_game,
)
_PROPOSED = (exists().where(ProposalRow.match_id == MatchRow.id).label("proposals"),)
_SEAT = (
    SeatRow.user_id,
    SeatRow.outcome,
    SeatRow.hinted,
    SeatRow.time_left,
    SeatRow.deadline,
    SeatRow.remind_at,
)
# The columns are in the order of the fields of the values that are made of them.
_MEMBER = (MemberRow.user_id, *(getattr(MemberRow, field.name) for field in fields(Member)[1:]))
_SERVER = (ServerRow.guild_id, *(getattr(ServerRow, field.name) for field in fields(ServerSettings)[1:]))
_POST = tuple(getattr(PostRow, field.name) for field in fields(Post))
_PARTS: tuple[Sequence[Any], ...] = (_MATCH, _PROPOSED, _SEAT, _MEMBER, _SERVER, _POST)
_OF_MATCH, _OF_PROPOSED, _OF_SEAT, _OF_MEMBER, _OF_SERVER, _OF_POST = (
    slice(*ends) for ends in pairwise(accumulate(map(len, _PARTS), initial=0))
)
"""The columns of each part in a row of the query."""
_QUERY = (
    select(*chain.from_iterable(_PARTS))
    .join(SeatRow, SeatRow.match_id == MatchRow.id)
    .outerjoin(MemberRow, MemberRow.user_id == SeatRow.user_id)
    .outerjoin(ServerRow, ServerRow.guild_id == MatchRow.guild)
    .outerjoin(PostRow, and_(PostRow.kind == PostKind.BOARD, PostRow.subject == MatchRow.id))
    .where(MatchRow.id == bindparam("match"))
    .order_by(SeatRow.seat)
)
_LOG = (
    select(PlyRow.seat, PlyRow.text, PlyRow.salt, PlyRow.played_at)
    .where(PlyRow.match_id == bindparam("match"), PlyRow.ply >= bindparam("known"))
    .order_by(PlyRow.ply)
)
_APPEND = (
    update(MatchRow)
    .where(
        MatchRow.id == bindparam("match"),
        MatchRow.plies == bindparam("known"),
        MatchRow.finished_at.is_(None),
    )
    .values(
        plies=MatchRow.plies + 1,
        turns=bindparam("next"),
        newest_key=bindparam("newest_key"),
        key_before=bindparam("key_before"),
        earliest_key=bindparam("earliest_key"),
        keyed_plies=bindparam("keyed_plies"),
    )
)
"""Changes no row if the match has another number of plies or is over, and else locks it."""
_ENTRY = insert(PlyRow)
_CLOCK = (
    update(SeatRow)
    .where(SeatRow.match_id == bindparam("match"), SeatRow.seat == bindparam("of"))
    .values(time_left=bindparam("left"), deadline=bindparam("until"), remind_at=bindparam("reminding"))
)


def read_match(connection: Connection, match: int, known: StoredMatch | None) -> StoredMatch | None:
    """Return a match with its surroundings, or None. `known` is the match as it was read earlier."""
    rows = connection.execute(_QUERY, {"match": match}).all()
    return _value(connection, rows, known) if rows else None


def append_entry(
    connection: Connection,
    known: StoredMatch | None,
    match: int,
    plies: int,
    ply: Ply,
    at: datetime,
    salt: str | None,
    ticking: Ticking | None,
    turns: Turns | None,
    position: PositionKeys | None,
) -> StoredMatch:
    """Append an entry to the log of a match, which then is locked, and return the match.

    Raises MovedOn and ClocksMoved as `append` of db.api.matches.matches does.
    """
    counted = {"match": match, "known": plies, "next": turns, **columns(position, plies + 1)}
    if not connection.execute(_APPEND, counted).rowcount:
        if (found := read_match(connection, match, known)) is None:
            raise LookupError(f"there is no match {match}")
        raise MovedOn(f"match {match} has {len(found.log)} plies, not {plies}, or is over")
    change_post(connection, PostKind.BOARD, match, at)
    connection.execute(
        _ENTRY,
        {
            "match_id": match,
            "ply": plies,
            "seat": ply.seat,
            "text": ply.text,
            "played_at": at,
            "salt": salt,
        },
    )
    if position is not None:
        store_faced(connection, match, position)
    if known is not None and len(known.log) == plies:
        known = replace(
            known, log=(*known.log, ply), salts=(*known.salts, salt), times=(*known.times, at.astimezone(UTC))
        )
    stored = read_match(connection, match, known)
    assert stored is not None
    return stored if ticking is None else _tick(connection, stored, ticking)


def _tick(connection: Connection, stored: StoredMatch, ticking: Ticking) -> StoredMatch:
    """Store the clocks `ticking.after` of a match, which is locked, and return the match. Raises ClocksMoved."""
    clocks, changes = list(stored.clocks), []
    for seat, (now, before, after) in enumerate(
        zip(stored.clocks, ticking.before, ticking.after, strict=True)
    ):
        same = now is None if before is None else before.same_time(now)
        if not same:
            raise ClocksMoved(f"the clock of seat {seat} in match {stored.id} has changed")
        if after != before:  # otherwise its reminder may have been sent meanwhile
            clocks[seat] = after
            left, until, reminding = (None, None, None) if after is None else astuple(after)
            changes.append(
                {"match": stored.id, "of": seat, "left": left, "until": until, "reminding": reminding}
            )
    if changes:
        connection.execute(_CLOCK, changes)
    return replace(stored, clocks=tuple(clocks))


def _value(connection: Connection, rows: Sequence[Row[Any]], known: StoredMatch | None) -> StoredMatch:
    """Return the match of these rows, one for each seat."""
    (
        id_,
        game,
        options,
        players,
        version,
        guild,
        channel,
        home,
        plies,
        started_at,
        finished_at,
        time_control,
        void,
        rated,
        games,
        turns,
        first_game,
    ) = rows[0][_OF_MATCH]
    seats = [row[_OF_SEAT] for row in rows]
    log, salts, times = _log(connection, id_, plies, known)
    return StoredMatch(
        id=id_,
        setup=Setup(game, options, players),
        version=version,
        place=Place(guild, channel, home),
        users=tuple(user for user, *_ in seats),
        log=log,
        salts=salts,
        started_at=started_at,
        finished_at=finished_at,
        outcomes=tuple(outcome for _, outcome, *_ in seats if outcome is not None) or None,
        times=times,
        time_control=time_control,
        clocks=()
        if time_control is None
        else tuple(None if clock[0] is None else SeatClock(*clock) for _, _, _, *clock in seats),
        void=void,
        rated=rated,
        hinted=frozenset(seat for seat, (_, _, hinted, *_) in enumerate(seats) if hinted),
        games=games,
        turns=turns,
        first=None
        if first_game is None
        else read_match(connection, first_game, None if known is None else known.first),
        around=_surroundings(rows, guild),
        post=None if rows[0][_OF_POST][0] is None else Post(*rows[0][_OF_POST]),
    )


def _surroundings(rows: Sequence[Row[Any]], guild: int | None) -> Surroundings:
    """Return the choices of the players and of the server, or the defaults."""
    seats_and_members = ((row[_OF_SEAT], row[_OF_MEMBER]) for row in rows)
    server = rows[0][_OF_SERVER]
    return Surroundings(
        tuple(
            Member(user) if member[0] is None else Member(*member) for (user, *_), member in seats_and_members
        ),
        ServerSettings(guild or 0) if server[0] is None else ServerSettings(*server),
        *rows[0][_OF_PROPOSED],
    )


Log = tuple[tuple[Ply, ...], tuple[str | None, ...], tuple[datetime, ...]]
"""The entries of a log, their salts and their times."""


def _log(connection: Connection, match: int, plies: int, known: StoredMatch | None) -> Log:
    """Return the log of a match that has so many plies. Only the entries that are not known are read."""
    begun: Log = ((), (), ())
    if known is not None and len(known.log) <= plies:
        begun = known.log, known.salts, known.times
    if len(begun[0]) == plies:
        return begun
    rows = connection.execute(_LOG, {"match": match, "known": len(begun[0])}).all()
    return (
        begun[0] + tuple(Ply(row.seat, row.text) for row in rows),
        begun[1] + tuple(row.salt for row in rows),
        begun[2] + tuple(row.played_at for row in rows),
    )
