"""Deleting leaderboards of past weeks and months: they are no longer shown, and their number would grow for ever."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, func, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute

from db.api.places import DiscordId
from db.api.standings.leaderboards import ExpiredLeaderboards
from db.api.standings.ratings import ALWAYS
from db.models import RatingRow, TallyRow
from db.rating_math.leaderboards import expired
from db.stores.base import StorePart, run_at_once
from db.stores.standings.ratings.locks import own_ratings

_Table = type[RatingRow] | type[TallyRow]

_KEYS: Mapping[_Table, Sequence[InstrumentedAttribute[Any]]] = {
    RatingRow: (RatingRow.guild, RatingRow.period, RatingRow.game, RatingRow.user_id),
    TallyRow: (TallyRow.guild, TallyRow.period, TallyRow.game, TallyRow.score),
}


class ExpiredLeaderboardPart(StorePart):
    """The queries of db.api.standings.leaderboards.ExpiredLeaderboardStore."""

    async def expired_leaderboards(self, at: datetime) -> Sequence[ExpiredLeaderboards]:
        async with self._sessions.read() as session:
            found = {
                (guild, period) for table in _KEYS for guild, period in await session.execute(_periods(table))
            }
        return [ExpiredLeaderboards(guild, period) for guild, period in sorted(found) if expired(period, at)]

    async def delete_expired(self, leaderboards: ExpiredLeaderboards, limit: int) -> int:
        gone = 0
        async with self._sessions.write() as session:
            await run_at_once(session, own_ratings)
            for table, key in _KEYS.items():
                theirs = select(*key).where(
                    table.guild == leaderboards.guild, table.period == leaderboards.period
                )
                made = await session.execute(
                    delete(table).where(tuple_(*key).in_(theirs.limit(limit))).returning(key[-1]),
                    execution_options={"synchronize_session": False},
                )
                gone += len(made.all())
        return gone


def _periods(table: _Table) -> Select[DiscordId, str]:
    """Select the distinct servers and periods: one lookup in the index for each, not a scan of all rows."""
    guilds = select(func.min(table.guild).label("guild")).cte("guilds", recursive=True)
    next_guild = select(func.min(table.guild)).where(table.guild > guilds.c.guild).scalar_subquery()
    guilds = guilds.union_all(select(next_guild).where(guilds.c.guild.is_not(None)))
    first = select(func.min(table.period)).where(table.guild == guilds.c.guild, table.period > ALWAYS)
    periods = select(guilds.c.guild, first.scalar_subquery().label("period")).cte("periods", recursive=True)
    following = select(func.min(table.period)).where(
        table.guild == periods.c.guild, table.period > periods.c.period
    )
    periods = periods.union_all(
        select(periods.c.guild, following.scalar_subquery()).where(periods.c.period.is_not(None))
    )
    return select(periods.c.guild, periods.c.period).where(periods.c.period.is_not(None))
