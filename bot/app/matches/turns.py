"""Whose turn it is, and since when.

It is stored with every entry, computed from what was stored with the one before, so that it costs the same however
long a match is. A match that an earlier version stored is replayed once.
"""

from datetime import datetime

from bot.app.matches.table import Table
from bot.app.matches.takebacks import back, counting
from db.api.matches.matches import Turns
from rules.core.match import Match, Ply


def turns_of(table: Table) -> Turns:
    """Return the seats that are to act in a match, by its log."""
    return table.stored.turns or _replayed(table)


def turns_after(before: Table, entry: Ply, after: Match, now: datetime) -> Turns:
    """Return the seats that are to act in the match `after` an entry that is made `now`.

    The turn has come to a seat that moved itself or was not to move before, and after a takeback to all. Secret moves
    of others change nothing, because the time would tell of them.
    """
    taken_back, due, earlier = back(entry) is not None, set(after.to_move), turns_of(before).since
    moved_on = {entry.seat, *(seat for seat in due if seat not in before.match.to_move)}
    since = (
        (now if taken_back or seat in moved_on else earlier[seat]) if seat in due else None
        for seat in range(after.setup.players)
    )
    return Turns(tuple(since), frozenset(seat for seat, _ in after.left if seat is not None))


def _replayed(table: Table) -> Turns:
    stored = table.stored
    # Compare places in the log, not times: the machine's clock may have been set back during the match.
    since = [0] * stored.setup.players
    times = (stored.started_at, *stored.times)
    stage = Match.start(table.match.game, dict(stored.setup.options), stored.setup.players)
    for index in counting(stored.log):
        who, text = stored.log[index]
        before, stage = stage.to_move, stage.play(who, text)
        for seat in range(stored.setup.players):
            if who == seat or seat not in before:
                since[seat] = index + 1
    latest = max((number for number, entry in enumerate(stored.log, 1) if back(entry) is not None), default=0)
    due = set(stage.to_move)
    return Turns(
        tuple(times[max(number, latest)] if seat in due else None for seat, number in enumerate(since)),
        frozenset(seat for seat, _ in stage.left if seat is not None),
    )
