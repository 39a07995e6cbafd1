"""Moments of finished games in the database."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Select, and_, select

from db.models import UNSEARCHED, MatchRow, MomentRow, SeatRow
from db.stores.base import HIGHEST, StorePart, named
from db.values.places import DiscordId, former
from db.values.puzzles import StoredMoment
from rules.puzzles.moments import Moment

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
