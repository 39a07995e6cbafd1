"""Positions of running matches in the database."""

from collections.abc import Collection
from functools import cache
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Connection,
    Select,
    bindparam,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)

from db.models import FACED, RUNNING, UNKEYED, MatchRow, SeatRow
from db.stores.base import StorePart
from db.stores.matches.rows import key_columns, read_matches, store_faced
from db.types import ListJson
from db.values.matches import MatchKeys, PositionKeys, StoredMatch

_NOTE = (
    update(MatchRow)
    .where(MatchRow.id == bindparam("match"), MatchRow.plies == bindparam("known"))
    .values({name: bindparam(name) for name in ("newest_key", "key_before", "earliest_key", "keyed_plies")})
)
_UNKEYED = exists().where(UNKEYED, MatchRow.game == bindparam("game"))


class PositionStore(StorePart):
    """The queries for running matches by their positions."""

    async def standing(self, game: str, keys: Collection[int], *, rated: bool) -> MatchKeys | None:
        """Return which of these keys of a game are those of running matches; with `rated`, only of rated ones.

        None if the keys of a running match of the game are unknown.
        """

        def query_keys(connection: Connection) -> MatchKeys | None:
            query = _standing(connection.dialect.name, rated=rated)
            rows = connection.execute(query, {"game": game, "keys": tuple(keys)}).all()
            if any(unkeyed for *_, unkeyed in rows):
                return None
            now = frozenset(key for key, newest, _, _ in rows if newest)
            return MatchKeys(now, now | {key for key, _, before, _ in rows if before})

        return await self._sessions.read_at_once(query_keys)

    async def facing(self, game: str, text: str) -> bool | None:
        """Return True if somebody on turn in a running rated match of a game faces a text that is alike.

        Two texts are alike if one contains the other, forwards or backwards. None if the keys of a running match of
        this game are unknown.
        """
        backwards = text[::-1]
        alike = or_(
            SeatRow.faced.contains(text),
            SeatRow.faced.contains(backwards),
            literal(f"{text}|{backwards}").contains(SeatRow.faced),
        )
        # A subquery instead of a join, so that only matches with such a text are looked up.
        rated = exists().where(
            MatchRow.id == SeatRow.match_id, RUNNING, MatchRow.rated.is_(True), MatchRow.game == game
        )
        query = select(select(SeatRow.seat).where(FACED, alike, rated).exists(), _UNKEYED)

        def query_keys(connection: Connection) -> bool | None:
            facing, unkeyed = connection.execute(query, {"game": game}).one()
            return None if unkeyed else facing

        return await self._sessions.read_at_once(query_keys)

    async def unkeyed(self, game: str, limit: int) -> list[StoredMatch]:
        """Return the first running matches of a game whose keys are unknown, because an earlier version stored them."""
        query = select(MatchRow.id).where(UNKEYED, MatchRow.game == game).order_by(MatchRow.id).limit(limit)
        return await self._sessions.read_at_once(lambda it: read_matches(it, it.scalars(query).all()))

    async def note(self, noted: Collection[tuple[int, int, PositionKeys | None]]) -> None:
        """Store the keys of matches. Each match is given by its id and the number of its plies.

        A match that has another number of plies by now is left out. None stands for a match that cannot be replayed.
        """

        def note(connection: Connection) -> None:
            for match, plies, position in noted:
                keys = key_columns(position, plies) | {"keyed_plies": plies}
                found = connection.execute(_NOTE, {"match": match, "known": plies, **keys})
                if found.rowcount and position is not None:
                    store_faced(connection, match, position)

        await self._sessions.write_at_once(note)


@cache
def _standing(dialect: str, *, rated: bool) -> Select[Any]:
    """Return the query for keys.

    A row has a key, and whether a match is at this position now, was there lately, or has unknown keys.
    """
    if dialect == "postgresql":
        asked = func.unnest(bindparam("keys", type_=ARRAY(BigInteger))).table_valued("value").render_derived()
    else:
        asked = func.json_each(bindparam("keys", type_=ListJson)).table_valued("value")
    counted = (RUNNING, MatchRow.rated.is_(True)) if rated else (RUNNING,)

    def stood(column: Any) -> Any:
        return exists().where(*counted, column == asked.c.value)

    return select(
        asked.c.value,
        stood(MatchRow.newest_key),
        or_(stood(MatchRow.key_before), stood(MatchRow.earliest_key)),
        _UNKEYED,
    )
