"""The base of all parts of the store, and what several of them use."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Concatenate, ParamSpec, TypeVar, TypeVarTuple, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Row,
    Select,
    SQLColumnExpression,
    UpdateBase,
    and_,
    func,
    literal,
    or_,
    select,
    text,
    true,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from db.models import Base, MemberRow, ServerRow
from db.processes.notifications import CHANNEL, Notification, Subject
from db.sessions import Sessions
from db.values.matches import StoredMatch
from db.values.members import is_person
from db.values.places import DIRECT, DiscordId, Shards, former
from db.values.posts import Post

T = TypeVar("T")
Columns = TypeVarTuple("Columns")
Given = ParamSpec("Given")
TableRow = TypeVar("TableRow", bound=Base)

HIGHEST = 2**31 - 1
"""The highest possible id: PostgreSQL refuses queries with a higher one."""


class StorePart:
    """A part of the store: the queries about one subject.

    Each public method is one transaction: if it raises, nothing was stored. An id that does not exist is a LookupError,
    unless the method may return None.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._built_for: tuple[Shards, frozenset[DiscordId]] | None = None
        self._queries: dict[Hashable, Any] = {}

    def _built(self, build: Callable[[*Columns], T], *of: *Columns) -> T:
        """Return `build(*of)`, from memory while the same servers are served.

        Rounds use this: building a query takes longer than running it. Values that change are parameters.
        """
        served = self._sessions.ownership.served, self._sessions.ownership.banned
        if self._built_for != served:
            self._built_for = served
            self._queries.clear()
        if (build, of) not in self._queries:
            self._queries[build, of] = build(*of)
        return cast("T", self._queries[build, of])

    async def _scalars(self, query: Select[T], **values: Any) -> list[T]:
        """Run a query in a transaction of its own, and return the first column of every row."""
        return await self._read(lambda it: list(it.scalars(query, values)))

    async def _rows(self, query: Select[*Columns], **values: Any) -> Sequence[Row[*Columns]]:
        """Run a query in a transaction of its own, and return every row."""
        return await self._read(lambda it: it.execute(query, values).all())

    async def _scalar(self, query: Select[T]) -> T | None:
        """Run a query in a transaction of its own, and return the first column of the first row, or None."""
        return await self._read(lambda it: it.scalar(query))

    async def _get(self, row: type[TableRow], key: Any) -> TableRow | None:
        """Return the row with this primary key, read in a transaction of its own, or None."""
        return await self._read(lambda it: it.get(row, key))

    async def _read(self, work: Callable[[Session], T]) -> T:
        """Run `work` as one function on a session that only reads. The rows that it returns are detached."""

        def read(connection: Connection) -> T:
            with Session(connection) as session:
                return work(session)

        return await self._sessions.read_at_once(read)

    async def _write(self, statement: UpdateBase) -> int:
        """Execute a statement in a transaction of its own. Return the number of rows that it has changed."""
        return await self._sessions.write_at_once(lambda it: it.execute(statement).rowcount)

    def _served(
        self,
        guild: SQLColumnExpression[int] | SQLColumnExpression[int | None],
        shards: Shards | None = None,
    ) -> ColumnElement[bool]:
        """Return the condition that this process does background work for a server, in this column.

        The server's shard is one of these, by default one that is served, and the server is not banned.
        """
        ownership = self._sessions.ownership
        theirs = within(shards or ownership.served, guild)
        if not ownership.banned:
            return theirs
        return and_(theirs, or_(guild.is_(None), guild.not_in(sorted(ownership.banned))))

    def _tell(self, within: Connection, subject: Subject, number: int, guild: DiscordId | None) -> None:
        """Tell of a change in the transaction that makes it, unless the server of what has changed is ours.

        Only the process that owns that server remembers it, and shows it in Discord.
        """
        ownership = self._sessions.ownership
        if within.dialect.name == "postgresql" and not ownership.owns(guild):
            self._tell_all(within, Notification(subject, number, ownership.shard_of(guild)))

    def _tell_all(self, within: Connection, notification: Notification) -> None:
        """Tell every process of a change, in the transaction that makes it."""
        if within.dialect.name == "postgresql":
            within.execute(select(func.pg_notify(CHANNEL, str(notification))))


def within(
    shards: Shards, guild: SQLColumnExpression[int] | SQLColumnExpression[int | None]
) -> ColumnElement[bool]:
    """Return the condition that a server, in this column, belongs to one of these shards, as `shard_of` computes it."""
    if shards.all:
        return true()
    shard = guild.bitwise_rshift(literal(22, Integer)) % shards.count
    return func.coalesce(shard, DIRECT).in_(sorted(shards.numbers))


async def database_size(session: AsyncSession) -> int:
    """Return the bytes that the database takes on its disk."""
    query = (
        "SELECT pg_database_size(current_database())"
        if session.get_bind().dialect.name == "postgresql"
        else "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    )
    return await session.scalar(text(query)) or 0


def inserting(into: AsyncSession | Connection, row: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """Return an INSERT that may have an ON CONFLICT clause."""
    dialect = into.dialect if isinstance(into, Connection) else into.get_bind().dialect
    build = postgresql.insert if dialect.name == "postgresql" else sqlite.insert
    return build(Base.metadata.tables[row.__tablename__])


def upserting(
    into: AsyncSession | Connection, row: type[Base], key: Mapping[str, Any], changes: Mapping[str, Any]
) -> postgresql.Insert | sqlite.Insert:
    """Return a statement that inserts the row with this primary key or changes just these attributes of it."""
    values = {row.__mapper__.columns[attribute].name: value for attribute, value in changes.items()}
    made = inserting(into, row).values(**key, **values)
    if changes:
        return made.on_conflict_do_update(index_elements=list(key), set_=values)
    return made.on_conflict_do_nothing(index_elements=list(key))


def named(value: Any, *without: str) -> dict[str, Any]:
    """Return the fields of a value by name, as attributes of a row have them, but those in `without`."""
    return {it.name: getattr(value, it.name) for it in fields(value) if it.name not in without}


async def upsert(
    session: AsyncSession, row: type[Base], key: Mapping[str, Any], changes: Mapping[str, Any]
) -> None:
    """Insert the row with this primary key or change just these attributes of it, in one statement."""
    await session.execute(upserting(session, row, key, changes))


async def run_at_once(
    session: AsyncSession,
    work: Callable[Concatenate[Connection, Given], T],
    *given: Given.args,
    **named: Given.kwargs,
) -> T:
    """Run a function on the connection of a session, as `write_at_once` of db.sessions does in its own transaction."""
    return await session.run_sync(lambda it: work(it.connection(), *given, **named))


async def add_members(session: AsyncSession, users: Iterable[DiscordId]) -> None:
    """Add a row for each of these members who has none. Computer players and former members are left out."""
    rows = [{"user_id": user} for user in sorted(users) if is_person(user) and not former(user)]
    if rows:
        await session.execute(inserting(session, MemberRow).values(rows).on_conflict_do_nothing())


async def add_server(session: AsyncSession, guild: DiscordId | None) -> None:
    """Add a row for a server that has none. None stands for direct messages, which get none."""
    if guild is not None:
        await session.execute(inserting(session, ServerRow).values(guild_id=guild).on_conflict_do_nothing())


REMEMBERED = 1000
"""The most matches that are remembered, those that were used last; some ten kilobytes each."""


class MatchCache:
    """The matches that this process has last read or changed. They may be out of date, but no entry of a log is."""

    def __init__(self) -> None:
        self._matches: OrderedDict[int, StoredMatch] = OrderedDict()
        self.on_put: Callable[[int], None] | None = None
        """Is told of every match that was read or changed."""

    def get(self, match: int) -> StoredMatch | None:
        return self._matches.get(match)

    def put(self, stored: StoredMatch) -> None:
        """Remember a match, unless it is remembered with more entries: that was read later."""
        known = self._matches.get(stored.id)
        if known is None or len(known.log) <= len(stored.log):
            self._matches[stored.id] = stored
        self._matches.move_to_end(stored.id)
        if len(self._matches) > REMEMBERED:
            self._matches.popitem(last=False)
        if self.on_put is not None:
            self.on_put(stored.id)

    def forget(self, stale: Callable[[StoredMatch], bool]) -> None:
        """Forget those of them that may be out of date."""
        for match in [match for match, stored in self._matches.items() if stale(stored)]:
            del self._matches[match]

    def shown(self, post: Post) -> None:
        """Note what Discord shows of a match."""
        if (known := self._matches.get(post.subject)) is not None:
            self._matches[post.subject] = replace(known, post=post)
