"""Lists of running matches in the database."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, and_, select, update

from db.models import PLAYING, RUNNING, MatchRow, PostRow, SeatRow
from db.stores.base import StorePart
from db.values.matches import ListedMatch, Panel, Turns
from db.values.places import DiscordId, Place
from db.values.posts import PostKind
from rules.core.match import Setup


class MatchListStore(StorePart):
    """Lists of running matches."""

    async def running(
        self,
        *,
        users: Collection[DiscordId] | None = None,
        channel: DiscordId | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> list[ListedMatch]:
        """Return the matches that are not over, the oldest first: those in which any of `users` plays, in a channel.

        Each argument that is given narrows the search. At most `limit` matches are returned. With `after`, they are
        ordered by their ids, which are higher.
        """
        where: list[ColumnElement[bool]] = [RUNNING]
        if users is not None:
            theirs = select(SeatRow.match_id).where(SeatRow.user_id.in_(users), PLAYING)
            where.append(MatchRow.id.in_(theirs))
        if channel is not None:
            where.append(MatchRow.channel == channel)
        order: tuple[Any, ...] = (MatchRow.started_at, MatchRow.id)
        if after is not None:
            where.append(MatchRow.id > after)
            order = (MatchRow.id,)
        matches = (
            select(
                *(MatchRow.id, MatchRow.game, MatchRow.options, MatchRow.players),
                *(MatchRow.guild, MatchRow.channel, MatchRow.home, MatchRow.plies, MatchRow.started_at),
                *(PostRow.channel.label("panel_channel"), PostRow.message, PostRow.progress, MatchRow.turns),
            )
            .outerjoin(PostRow, and_(PostRow.kind == PostKind.BOARD, PostRow.subject == MatchRow.id))
            .where(*where)
            .order_by(*order)
            .limit(limit)
        )
        seats = (
            select(SeatRow.match_id, SeatRow.user_id, SeatRow.deadline)
            .where(SeatRow.match_id.in_(matches.with_only_columns(MatchRow.id)))
            .order_by(SeatRow.match_id, SeatRow.seat)
        )
        async with self._sessions.read() as session:
            found = (await session.execute(matches)).all()
            players = (await session.execute(seats)).all() if found else ()
        by_match = defaultdict(list)
        for match, player, deadline in players:
            by_match[match].append((player, deadline))
        return [
            ListedMatch(
                id=it.id,
                setup=Setup(it.game, it.options, it.players),
                place=Place(it.guild, it.channel, it.home),
                users=tuple(player for player, _ in by_match[it.id]),
                plies=it.plies,
                started_at=it.started_at,
                panel=None if it.message is None else Panel(it.panel_channel, it.message, it.progress),
                deadlines=tuple(deadline for _, deadline in by_match[it.id]),
                turns=it.turns,
            )
            for it in found
        ]

    async def running_in(self, channel: DiscordId) -> list[tuple[int, str]]:
        """Return the id and the game of each match that is played in a channel, the oldest first."""
        query = (
            select(MatchRow.id, MatchRow.game)
            .where(RUNNING, MatchRow.channel == channel)
            .order_by(MatchRow.started_at, MatchRow.id)
        )
        async with self._sessions.read() as session:
            return [(match, game) for match, game in await session.execute(query)]

    async def note_turns(self, match: int, plies: int, turns: Turns) -> None:
        """Remember whose turn it is in a match; nothing is stored unless it has `plies` plies."""
        same = MatchRow.id == match, MatchRow.plies == plies
        async with self._sessions.write() as session:
            await session.execute(update(MatchRow).where(*same).values(turns=turns))
