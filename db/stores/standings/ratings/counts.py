"""Tallies: for each leaderboard, how many listed members have which score."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, case, delete

from db.models import Base, TallyRow
from db.stores.base import inserting
from db.values.standings import ALWAYS, HeldSkill, Leaderboard, Rating


@dataclass(frozen=True, slots=True)
class Shift:
    """The skill of a member on a leaderboard before and after a change; None where they are not listed on it."""

    leaderboard: Leaderboard
    before: HeldSkill | None
    after: HeldSkill | None


def counting(rating: Rating | None) -> HeldSkill | None:
    """Return the skill that a leaderboard counts, None if the rating is not listed."""
    return rating.held if rating is not None and rating.listed else None


def keep_count(connection: Connection, shifts: Iterable[Shift]) -> None:
    """Add these shifts to the tallies.

    All transactions change tallies in the same order, so that no two wait for each other. Nothing is read first, so
    changes by other transactions add up with these.
    """
    by_leaderboard: defaultdict[Leaderboard, list[Shift]] = defaultdict(list)
    for shift in shifts:
        by_leaderboard[shift.leaderboard].append(shift)
    rows: list[dict[str, Any]] = [
        {"period": leaderboard.period, "game": leaderboard.game, "guild": leaderboard.guild, **row}
        for leaderboard, its in sorted(by_leaderboard.items(), key=lambda it: _order(it[0]))
        for row in _counts(its, ever=leaderboard.period == ALWAYS)
    ]
    if not rows:
        return
    made = inserting(connection, TallyRow)
    new, old = made.excluded, _TALLIES.c
    adding = made.on_conflict_do_update(
        index_elements=_KEY,
        set_={
            "members": old.members + new.members,
            # A tally of a later week has seen a week begin in which none of these members has played.
            "gained": case(
                (old.week < new.week, new.gained),
                (old.week == new.week, old.gained + new.gained),
                else_=old.gained,
            ),
            "week": case((old.week < new.week, new.week), else_=old.week),
        },
    )
    connection.execute(adding, rows)
    fewer = [{f"its_{name}": row[name] for name in _KEY} for row in rows if row["members"] <= 0]
    if fewer:
        connection.execute(_EMPTY, fewer)


_KEY = ("guild", "period", "game", "score")
_TALLIES = Base.metadata.tables[TallyRow.__tablename__]
_EMPTY = delete(_TALLIES).where(
    *(_TALLIES.c[name] == bindparam(f"its_{name}") for name in _KEY),
    _TALLIES.c.members == 0,
    _TALLIES.c.gained == 0,
)


def _order(leaderboard: Leaderboard) -> tuple[int, str, str]:
    return leaderboard.guild, leaderboard.period, leaderboard.game


def _counts(shifts: Iterable[Shift], *, ever: bool) -> list[dict[str, int]]:
    """Return the changes of tallies in the order of scores: `members`, and `gained` since the beginning of `week`.

    `week` is the latest in which any of the members played; it matters on leaderboards of all time (`ever`).
    """
    held = [(shift.before, shift.after) for shift in shifts]
    week = max((it.week for pair in held for it in pair if it is not None), default=0) if ever else 0
    members: defaultdict[int, int] = defaultdict(int)
    began: defaultdict[int, int] = defaultdict(int)
    for before, after in held:
        for it, sign in ((before, -1), (after, 1)):
            if it is not None:
                members[it.skill.score] += sign
                score = it.was if ever and it.week == week else it.skill.score
                if score is not None:
                    began[score] += sign
    return [
        {"score": score, "members": members[score], "week": week, "gained": gained}
        for score in sorted(members.keys() | began.keys())
        if (gained := members[score] - began[score] if ever else 0) or members[score]
    ]
