"""Positions of running matches in the database."""

from collections.abc import Collection
from functools import cache
from itertools import zip_longest
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

from db.api.matches.matches import PositionKeys, StoredMatch
from db.api.matches.positions import Standing
from db.models import FACED, RUNNING, UNKEYED, MatchRow, SeatRow
from db.stores.base import StorePart, whole_matches
from db.types import ListJson

_FACED = (
    update(SeatRow)
    .where(SeatRow.match_id == bindparam("match"), SeatRow.seat == bindparam("of"))
    .values(faced=bindparam("text"))
)
_NOTE = (
    update(MatchRow)
    .where(MatchRow.id == bindparam("match"), MatchRow.plies == bindparam("known"))
    .values({name: bindparam(name) for name in ("newest_key", "key_before", "earliest_key", "keyed_plies")})
)
_UNKEYED = exists().where(UNKEYED, MatchRow.game == bindparam("game"))


class PositionPart(StorePart):
    """The queries of db.api.matches.positions. Each takes about as long however many matches are running."""

    async def standing(self, game: str, keys: Collection[int], *, rated: bool) -> Standing | None:
        def look(connection: Connection) -> Standing | None:
            query = _standing(connection.dialect.name, rated=rated)
            rows = connection.execute(query, {"game": game, "keys": tuple(keys)}).all()
            if any(unkeyed for *_, unkeyed in rows):
                return None
            now = frozenset(key for key, newest, _, _ in rows if newest)
            return Standing(now, now | {key for key, _, before, _ in rows if before})

        return await self._sessions.read_at_once(look)

    async def facing(self, game: str, text: str) -> bool | None:
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

        def look(connection: Connection) -> bool | None:
            facing, unkeyed = connection.execute(query, {"game": game}).one()
            return None if unkeyed else facing

        return await self._sessions.read_at_once(look)

    async def unkeyed(self, game: str, limit: int) -> list[StoredMatch]:
        query = whole_matches().where(UNKEYED, MatchRow.game == game).order_by(MatchRow.id).limit(limit)
        async with self._sessions.read() as session:
            return [row.value() for row in await session.scalars(query)]

    async def note_positions(self, noted: Collection[tuple[int, int, PositionKeys | None]]) -> None:
        def note(connection: Connection) -> None:
            for match, plies, position in noted:
                keys = columns(position, plies) | {"keyed_plies": plies}
                found = connection.execute(_NOTE, {"match": match, "known": plies, **keys})
                if found.rowcount and position is not None:
                    store_faced(connection, match, position)

        await self._sessions.write_at_once(note)


@cache
def _standing(dialect: str, *, rated: bool) -> Select[Any]:
    """Return the query for keys: each with True for matches that stand there, for those that stood there lately, and
    for matches whose keys are unknown."""
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


def columns(position: PositionKeys | None, plies: int) -> dict[str, int | None]:
    """Return the columns of a match that hold the keys of its position after so many plies; all None if unknown."""
    recent = () if position is None else position.recent
    names = ("newest_key", "key_before", "earliest_key")
    return dict(zip_longest(names, recent)) | {"keyed_plies": None if position is None else plies}


def store_faced(connection: Connection, match: int, position: PositionKeys) -> None:
    """Store what the seats of a match face, if anybody may ask for it."""
    if position.faced:
        seats = [{"match": match, "of": seat, "text": text} for seat, text in enumerate(position.faced)]
        connection.execute(_FACED, seats)
