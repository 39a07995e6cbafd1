"""Counts of everything that waits to be shown."""

from datetime import datetime

from sqlalchemy import Connection, and_, func, select

from db.api.matches.backlog import Backlog
from db.api.posts import PostKind
from db.models import OPEN, PENDING, RUNNING, ChallengeRow, DirectMessageRow, MatchRow, PostRow
from db.stores.base import StorePart


class BacklogPart(StorePart):
    """The queries of db.api.matches.backlog."""

    async def backlog(self, lately: datetime) -> Backlog:
        served = self._served(MatchRow.guild)
        running = select(MatchRow.game, func.count()).where(RUNNING, served).group_by(MatchRow.game)
        lively = and_(PostRow.guild.is_not(None), PostRow.due_at > lately)
        pending = (
            select(PostRow.kind, lively, func.count())
            .where(PENDING, PostRow.kind != PostKind.CARD, self._served(PostRow.guild))
            .group_by(PostRow.kind, lively)
        )
        cards = (
            select(func.count())
            .select_from(PostRow)
            .join(ChallengeRow, and_(ChallengeRow.id == PostRow.subject, PostRow.kind == PostKind.CARD))
            .where(PENDING, OPEN, PostRow.message.is_(None), PostRow.due_at > lately)
            .where(self._served(PostRow.guild))
        )
        queued = (
            select(func.count()).select_from(DirectMessageRow).where(self._served(DirectMessageRow.guild))
        )

        def count(connection: Connection) -> Backlog:
            games = dict(connection.execute(running).all())
            posts = {(kind, bool(new)): number for kind, new, number in connection.execute(pending)}
            results = sum(posts.get((kind, True), 0) for kind in (PostKind.RESULT, PostKind.VOID))
            return Backlog(
                games,
                posts.get((PostKind.BOARD, True), 0),
                posts.get((PostKind.BOARD, False), 0),
                connection.execute(cards).scalar_one(),
                results,
                connection.execute(queued).scalar_one(),
            )

        return await self._sessions.read_at_once(count)
