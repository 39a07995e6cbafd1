"""Counts of everything that waits to be shown."""

from datetime import datetime

from sqlalchemy import Connection, and_, func, or_, select

from db.api.matches.backlog import Backlog
from db.api.posts import PostKind
from db.models import PENDING, RUNNING, MatchRow, PostRow
from db.stores.base import StorePart


class BacklogPart(StorePart):
    """The queries of db.api.matches.backlog."""

    async def backlog(self, lately: datetime) -> Backlog:
        served = self._served(MatchRow.guild)
        running = select(MatchRow.game, func.count()).where(RUNNING, served).group_by(MatchRow.game)
        lively = and_(PostRow.guild.is_not(None), PostRow.due_at > lately)
        pending = (
            select(PostRow.kind, lively, func.count())
            .where(PENDING, or_(PostRow.kind != PostKind.CARD, PostRow.message.is_(None)))
            .where(self._served(PostRow.guild))
            .group_by(PostRow.kind, lively)
        )

        def count(connection: Connection) -> Backlog:
            games = dict(connection.execute(running).all())
            posts = {(kind, bool(new)): number for kind, new, number in connection.execute(pending)}
            results = sum(posts.get((kind, True), 0) for kind in (PostKind.RESULT, PostKind.VOID))
            return Backlog(
                games,
                posts.get((PostKind.BOARD, True), 0),
                posts.get((PostKind.BOARD, False), 0),
                posts.get((PostKind.CARD, True), 0),
                results,
            )

        return await self._sessions.read_at_once(count)
