"""Entries appended to the log of a running match, with its clocks and the keys of its position."""

from dataclasses import astuple, replace
from datetime import UTC

from sqlalchemy import Connection, bindparam, insert, update

from db.models import MatchRow, PlyRow, SeatRow
from db.stores.matches.positions import store_faced
from db.stores.matches.rows import key_columns, read_match
from db.stores.posts import change_post
from db.values.clocks import ClocksMoved, Ticking
from db.values.matches import MovedOn, NewEntry, StoredMatch
from db.values.posts import PostKind

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


def append_entry(
    connection: Connection, known: StoredMatch | None, match: int, plies: int, new: NewEntry
) -> StoredMatch:
    """Append an entry to the log of a match, which then is locked, and return the match.

    `known` is the match as it was read earlier. Raises MovedOn and ClocksMoved as `MatchStore.append` does.
    """
    counted = {
        "match": match,
        "known": plies,
        "next": new.turns,
        **key_columns(new.position, plies + 1),
    }
    if not connection.execute(_APPEND, counted).rowcount:
        if (found := read_match(connection, match, known)) is None:
            raise LookupError(f"there is no match {match}")
        raise MovedOn(f"match {match} has {len(found.log)} plies, not {plies}, or is over")
    change_post(connection, PostKind.BOARD, match, new.at)
    connection.execute(
        _ENTRY,
        {
            "match_id": match,
            "ply": plies,
            "seat": new.ply.seat,
            "text": new.ply.text,
            "played_at": new.at,
            "salt": new.salt,
        },
    )
    if new.position is not None:
        store_faced(connection, match, new.position)
    if known is not None and len(known.log) == plies:
        known = replace(
            known,
            log=(*known.log, new.ply),
            salts=(*known.salts, new.salt),
            times=(*known.times, new.at.astimezone(UTC)),
        )
    stored = read_match(connection, match, known)
    assert stored is not None
    return stored if new.ticking is None else _tick(connection, stored, new.ticking)


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
