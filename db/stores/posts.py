"""The outbox and the queue of direct messages in the database."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime

from sqlalchemy import Connection, RowMapping, Select, bindparam, case, delete, func, select, update

from db.models import PENDING, DepartureRow, DirectMessageRow, OpeningPaceRow, PostRow
from db.sessions import Sessions
from db.stores.base import MatchCache, StorePart, inserting
from db.values.places import DiscordId, Place
from db.values.posts import BOARDS, News, OpeningPace, Post, PostKind, QueuedMessage

_DUE = func.coalesce(bindparam("due", type_=PostRow.due_at.type), PostRow.due_at)
_CHANGE = (
    update(PostRow)
    .where(
        PostRow.kind == bindparam("of_kind"),
        PostRow.subject == bindparam("of"),
        PostRow.key == bindparam("of_key"),
    )
    .values(
        version=PostRow.version + 1,
        due_at=case((PENDING, PostRow.due_at), else_=_DUE),
    )
)
_CHANGE_ALL = (
    update(PostRow)
    .where(PostRow.kind.in_(bindparam("kinds", expanding=True)), PostRow.subject == bindparam("of"))
    .values(
        version=PostRow.version + 1,
        due_at=case((PENDING, PostRow.due_at), else_=_DUE),
    )
)
_KEEP = (
    update(PostRow)
    .where(PostRow.id == bindparam("post"))
    .values(
        channel=bindparam("in_channel"),
        message=bindparam("by"),
        shown=bindparam("now_shown"),
        progress=bindparam("now"),
        pinned=bindparam("is_pinned"),
        companions=bindparam("beside"),
        tried_at=bindparam("attempt"),
    )
)


class PostStore(StorePart):
    """The posts. The transactions that change what a post shows also raise its version."""

    def __init__(self, sessions: Sessions, cache: MatchCache) -> None:
        super().__init__(sessions)
        self._cache = cache

    async def get(self, kind: PostKind, subject: int, key: str = "") -> Post | None:
        return await self._sessions.read_at_once(lambda it: _read(it, kind, subject, key))

    async def add(
        self, kind: PostKind, key: str, places: Sequence[tuple[DiscordId, DiscordId]], at: datetime
    ) -> None:
        """Add a post for each server, as pairs of server and channel, unless the server has a post of that key."""

        def add(connection: Connection) -> None:
            for guild, channel in places:
                add_post(connection, kind, guild, Place(guild, channel), at, key)

        if places:
            await self._sessions.write_at_once(add)

    async def change(self, kind: PostKind, subject: int, at: datetime, key: str = "") -> Post | None:
        """Raise the version of a post, which is due at `at`. Return the post, or None if it does not exist."""

        def change(connection: Connection) -> Post | None:
            change_post(connection, kind, subject, at, key)
            return _read(connection, kind, subject, key)

        return await self._sessions.write_at_once(change)

    async def pending(self, at: datetime, limit: int, without: Collection[int] = ()) -> Sequence[Post]:
        """Return pending posts of the served servers that are due, ordered by due time; at most `limit`."""
        query = self._built(self._pending, limit)
        return [row.value() for row in await self._scalars(query, now=at, without=list(without))]

    def _pending(self, limit: int) -> Select[PostRow]:
        return (
            select(PostRow)
            .where(
                PENDING,
                PostRow.due_at <= bindparam("now"),
                PostRow.guild.is_not(None),
                PostRow.id.not_in(bindparam("without", expanding=True)),
                PostRow.guild.not_in(select(DepartureRow.guild_id)),
                self._served(PostRow.guild),
            )
            .order_by(PostRow.due_at, PostRow.id)
            .limit(limit)
        )

    async def pending_in(self, channel: DiscordId) -> Sequence[Post]:
        """Return the pending posts of a channel that belongs to no server, in the order of their ids."""
        query = select(PostRow).where(PENDING, PostRow.guild.is_(None), PostRow.channel == channel)
        return [row.value() for row in await self._scalars(query.order_by(PostRow.id))]

    async def close(self, kind: PostKind, before: str, at: datetime) -> None:
        """Have the open messages of a kind whose key is below `before` updated for the last time.

        The posts of open messages have no `progress`.
        """
        # Pending posts are closed when they are shown. Without a message, nothing is to be closed.
        shown = PostRow.message.is_not(None), PostRow.progress == 0, ~PENDING
        closing = update(PostRow).where(PostRow.kind == kind, PostRow.key < before, *shown)
        closing = closing.values(version=PostRow.version + 1, due_at=at)
        await self._write(closing)

    async def postpone(self, post: int, until: datetime) -> None:
        """Let a pending post be due later."""
        await self._write(update(PostRow).where(PostRow.id == post).values(due_at=until))

    async def note_attempt(self, post: int, at: datetime | None) -> None:
        """Note that a message of a post is about to be sent, or (None) that it was certainly not sent."""
        await self._write(update(PostRow).where(PostRow.id == post).values(tried_at=at))

    async def keep(self, post: Post) -> None:
        """Store what Discord shows of a post.

        The version in the store stays: if it was raised since `post` was read, the post stays pending.
        """
        values = {
            "post": post.id,
            "in_channel": post.channel,
            "by": post.message,
            "now_shown": post.shown,
            "now": post.progress,
            "is_pinned": post.pinned,
            "beside": post.companions,
            "attempt": post.tried_at,
        }
        await self._sessions.write_at_once(lambda it: it.execute(_KEEP, values))
        if post.kind is PostKind.BOARD:
            self._cache.shown(post)

    async def forget(self, post: int) -> None:
        """Delete a post that never changes again."""
        await self._write(delete(PostRow).where(PostRow.id == post))

    async def forget_before(self, kind: PostKind, before: str) -> None:
        """Delete the posts of a kind whose key is below `before`."""
        await self._write(delete(PostRow).where(PostRow.kind == kind, PostRow.key < before))


def add_post(
    connection: Connection,
    kind: PostKind,
    subject: int,
    place: Place,
    at: datetime,
    key: str = "",
) -> None:
    """Add a post that is due at `at`, unless it exists."""
    made = inserting(connection, PostRow).values(
        kind=kind, subject=subject, key=key, guild=place.guild, channel=place.channel, due_at=at
    )
    connection.execute(made.on_conflict_do_nothing(index_elements=["kind", "subject", "key"]))


def change_post(
    connection: Connection, kind: PostKind, subject: int, at: datetime | None, key: str = ""
) -> None:
    """Raise the version of a post, which is due at `at` unless it is pending already.

    Of a board this includes its copies, and of an event its messages in both servers. Nothing happens if the post does
    not exist.
    """
    if kind in (PostKind.BOARD, PostKind.EVENT):
        kinds = BOARDS if kind is PostKind.BOARD else (kind,)
        connection.execute(_CHANGE_ALL, {"kinds": list(kinds), "of": subject, "due": at})
        return
    connection.execute(_CHANGE, {"of_kind": kind, "of": subject, "of_key": key, "due": at})


def _read(connection: Connection, kind: PostKind, subject: int, key: str) -> Post | None:
    query = select(PostRow.__table__).where(
        PostRow.kind == kind, PostRow.subject == subject, PostRow.key == key
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else post_of(row)


def post_of(row: RowMapping) -> Post:
    return Post(**{field.name: row[field.name] for field in fields(Post)})


def queue_messages(
    connection: Connection, users: Collection[DiscordId], guild: DiscordId | None, news: News, at: datetime
) -> None:
    """Queue a direct message to each of `users`, due at `at`. A message that is queued already stays as it is."""
    rows = [{"user_id": user, "guild": guild, "due_at": at, **asdict(news)} for user in users]
    if rows:
        connection.execute(inserting(connection, DirectMessageRow).values(rows).on_conflict_do_nothing())


class DirectMessageStore(StorePart):
    """The queue of direct messages. A message stays in the queue until it was sent or is no longer needed."""

    async def queue(
        self, users: Collection[DiscordId], guild: DiscordId | None, news: News, at: datetime
    ) -> None:
        """Queue a message to each of `users`, due at `at`. A message that is queued already stays as it is."""
        if users:
            await self._sessions.write_at_once(lambda it: queue_messages(it, users, guild, news, at))

    async def due(self, at: datetime, limit: int, without: Collection[int] = ()) -> Sequence[QueuedMessage]:
        """Return messages of the served servers that are due, ordered by due time; at most `limit`."""
        query = self._built(self._due, limit)
        return [it.value() for it in await self._scalars(query, now=at, without=list(without))]

    def _due(self, limit: int) -> Select[DirectMessageRow]:
        row = DirectMessageRow
        return (
            select(row)
            .where(row.due_at <= bindparam("now"), self._served(row.guild))
            .where(row.id.not_in(bindparam("without", expanding=True)))
            .order_by(row.due_at, row.id)
            .limit(limit)
        )

    async def postpone(self, message: int, until: datetime, *, reserved: bool = False) -> None:
        """Let a message be due later; with `reserved` that time is reserved for opening its channel."""
        changing = update(DirectMessageRow).where(DirectMessageRow.id == message)
        await self._write(changing.values(due_at=until, reserved=reserved))

    async def change_pace(self, change: Callable[[OpeningPace], OpeningPace]) -> None:
        """Replace the pace of all processes by what `change` returns for it. Other processes wait meanwhile."""
        row = OpeningPaceRow
        long_ago = datetime.fromtimestamp(0, UTC)

        def replace(connection: Connection) -> None:
            first = inserting(connection, row).values(id=1, free_at=long_ago, paused_until=long_ago)
            connection.execute(first.on_conflict_do_nothing())
            locked = select(row.free_at, row.paused_until).where(row.id == 1).with_for_update()
            before = OpeningPace(*connection.execute(locked).one())
            after = change(before)
            if after != before:
                connection.execute(update(row).where(row.id == 1).values(asdict(after)))

        await self._sessions.write_at_once(replace)

    async def forget(self, message: int) -> None:
        """Delete a message from the queue."""
        await self._write(delete(DirectMessageRow).where(DirectMessageRow.id == message))
