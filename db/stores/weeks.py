"""The queries about the matches of a server in a week: the longest one, and the pairs of members who met."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, aliased

from db.models import FINISHED, MatchRow, MemberRow, PlyRow, SeatRow
from db.stores.base import StorePart
from db.values.members import COMPUTER_PLAYERS
from db.values.places import DiscordId
from rules.core.match import DRAW, LEAVING


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
