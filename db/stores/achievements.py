"""Achievements in the database. The rules that award them are in bot.app.achievements."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Connection, Select, bindparam, delete, insert, select, tuple_
from sqlalchemy.orm import Session, aliased

from db.models import AwardRow, MatchRow, SeatRow
from db.stores.base import StorePart, run_at_once
from db.values.matches import Award, Earned
from db.values.members import is_person
from db.values.places import DiscordId, Place, former


class AchievementStore(StorePart):
    """The achievements of members, with the matches that prove them."""

    async def first_awards(self, user: DiscordId, keys: Collection[str]) -> list[Earned]:
        """Return, for each of these achievements that a member has, the match by which they first earned it."""
        query = _proofs().order_by(AwardRow.earned_at, AwardRow.match_id).limit(1)
        # Each is one lookup in an index, for any number of games.
        queries = [query.where(AwardRow.user_id == user, AwardRow.key == key) for key in keys]
        return await self._read(lambda session: [it for query in queries for it in _earned(session, query)])

    async def new_awards(self, match: int) -> list[Earned]:
        """Return the achievements that members earned for the first time by a match."""
        earlier = aliased(AwardRow)
        before = (
            select(earlier.match_id)
            .where(
                earlier.user_id == AwardRow.user_id,
                earlier.key == AwardRow.key,
                tuple_(earlier.earned_at, earlier.match_id) < tuple_(AwardRow.earned_at, AwardRow.match_id),
            )
            .exists()
        )
        query = _proofs().where(AwardRow.match_id == match, ~before).order_by(AwardRow.key, AwardRow.user_id)
        return await self._read(lambda session: _earned(session, query))

    async def award_again(self, match: int, awards: Sequence[Award]) -> None:
        """Replace the achievements that a finished match proves. A match whose result was taken back proves none."""
        async with self._sessions.write() as session:
            row = await session.get(MatchRow, match, with_for_update=True)
            if row is None:
                raise LookupError(f"there is no match {match}")
            await session.execute(delete(AwardRow).where(AwardRow.match_id == match))
            if row.finished_at is not None and row.void is None:
                at = row.finished_at
                await run_at_once(session, store_awards, match, at, awards)


_UNAIDED = (
    select(SeatRow.seat, SeatRow.user_id)
    .where(SeatRow.match_id == bindparam("match"), ~SeatRow.hinted)
    .with_for_update()
)
_AWARD = insert(AwardRow)


def store_awards(connection: Connection, match: int, at: datetime, awards: Sequence[Award]) -> None:
    """Store the achievements of a match that ended at `at`. Its row must be locked.

    Former members, computer players and seats that took a hint get none.
    """
    if not awards:
        return
    users = {row.seat: row.user_id for row in connection.execute(_UNAIDED, {"match": match})}
    rows = [
        {"match_id": match, "user_id": users[it.seat], "key": it.key, "earned_at": at}
        for it in awards
        if it.seat in users and not former(users[it.seat]) and is_person(users[it.seat])
    ]
    if rows:
        connection.execute(_AWARD, rows)


def _proofs() -> Select[AwardRow, MatchRow]:
    return select(AwardRow, MatchRow).join(MatchRow, MatchRow.id == AwardRow.match_id)


def _earned(session: Session, query: Select[AwardRow, MatchRow]) -> list[Earned]:
    return [
        Earned(
            row.user_id,
            row.key,
            match.id,
            row.earned_at,
            match.game,
            Place(match.guild, match.channel, match.home),
        )
        for row, match in session.execute(query)
    ]
