"""Keeping count of how many members who are listed hold which score on a board."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, case, delete
from sqlalchemy.ext.asyncio import AsyncSession

from db.api.ratings import ALWAYS, Held, Leaderboard, Rating
from db.models import Base, TallyRow
from db.stores.base import inserting


@dataclass(frozen=True, slots=True)
class Shift:
    """What a member held on a board, and what they hold now: None where they are not on it, or not listed."""

    board: Leaderboard
    before: Held | None
    after: Held | None


def counting(rating: Rating | None) -> Held | None:
    """What a board counts of a rating."""
    return rating.held if rating is not None and rating.listed else None


async def keep_count(session: AsyncSession, shifts: Iterable[Shift]) -> None:
    """Count these shifts in.

    Tallies are changed in one order, the same for everybody, so that nobody waits in a circle. Nothing is read: what
    another transaction does to a tally meanwhile adds up with this.
    """
    by_board: defaultdict[Leaderboard, list[Shift]] = defaultdict(list)
    for shift in shifts:
        by_board[shift.board].append(shift)
    rows: list[dict[str, Any]] = [
        {"period": board.period, "game": board.game, "guild": board.guild, **row}
        for board, its in sorted(by_board.items(), key=lambda it: (it[0].guild, it[0].period, it[0].game))
        for row in _counts(its, ever=board.period == ALWAYS)
    ]
    if not rows:
        return
    made = inserting(session, TallyRow)
    new, old = made.excluded, _TALLIES.c
    adding = made.on_conflict_do_update(
        index_elements=_KEY,
        set_={
            "members": old.members + new.members,
            # A tally that is in a later week has seen one begin that none of these members has played in.
            "gained": case(
                (old.week < new.week, new.gained),
                (old.week == new.week, old.gained + new.gained),
                else_=old.gained,
            ),
            "week": case((old.week < new.week, new.week), else_=old.week),
        },
    )
    connection = await session.connection()
    await connection.execute(adding, rows)
    fewer = [{f"its_{name}": row[name] for name in _KEY} for row in rows if row["members"] <= 0]
    if fewer:
        await connection.execute(_EMPTY, fewer)


_KEY = ("guild", "period", "game", "score")
_TALLIES = Base.metadata.tables[TallyRow.__tablename__]
_EMPTY = delete(_TALLIES).where(
    *(_TALLIES.c[name] == bindparam(f"its_{name}") for name in _KEY),
    _TALLIES.c.members == 0,
    _TALLIES.c.gained == 0,
)


def _counts(shifts: Iterable[Shift], *, ever: bool) -> list[dict[str, int]]:
    """By score in order: how many members more there are, and how many more than when the latest week began.

    That is the latest in which any of them played; weeks matter on boards that are there for `ever`.
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
