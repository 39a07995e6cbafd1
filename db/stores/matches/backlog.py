"""Counts of everything that waits to be shown."""

from datetime import datetime

from sqlalchemy import Connection, and_, case, func, select

from db.api.matches.backlog import Backlog
from db.models import RUNNING, UNPOSTED, UNSHOWN, AnnouncementRow, ChallengeRow, MatchRow, PlyRow
from db.stores.base import StorePart


class BacklogPart(StorePart):
    """The queries of db.api.matches.backlog."""

    async def backlog(self, lately: datetime) -> Backlog:
        served = self._served(MatchRow.guild)
        running = select(MatchRow.game, func.count()).where(RUNNING, served).group_by(MatchRow.game)
        last = and_(PlyRow.match_id == MatchRow.id, PlyRow.ply == MatchRow.plies - 1)
        changed_at = func.coalesce(PlyRow.played_at, MatchRow.started_at)
        lively = and_(MatchRow.guild.is_not(None), changed_at > lately)
        unshown = (
            select(func.count(), func.count(case((lively, 1))))
            .select_from(MatchRow)
            .outerjoin(PlyRow, last)
            .where(UNSHOWN, served)
        )
        challenges = (
            select(func.count())
            .select_from(ChallengeRow)
            .where(UNPOSTED, ChallengeRow.made_at > lately, self._served(ChallengeRow.guild))
        )
        announcements = (
            select(func.count())
            .select_from(AnnouncementRow)
            .join(MatchRow, MatchRow.id == AnnouncementRow.match_id)
            .where(AnnouncementRow.since > lately, served)
        )

        def count(connection: Connection) -> Backlog:
            games = dict(connection.execute(running).all())
            unshown_boards, lively_boards = connection.execute(unshown).one()
            return Backlog(
                games,
                lively_boards,
                unshown_boards - lively_boards,
                connection.execute(challenges).scalar_one(),
                connection.execute(announcements).scalar_one(),
            )

        return await self._sessions.read_at_once(count)
