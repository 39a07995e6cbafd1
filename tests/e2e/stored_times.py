"""The bot's database, from outside: make stored times older, since the bot's clock cannot be moved; wait for posts."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Select, Update, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import FILE_NAME, address
from db.engine import make_engine
from db.models import (
    TICKING,
    AliveRow,
    ChallengeRow,
    DigestRow,
    DirectMessageRow,
    ForgottenRow,
    MatchRow,
    MemberRow,
    PlyRow,
    PostRow,
    SeatRow,
)
from db.store import Store
from db.values.posts import Post, PostKind
from tests.db.given import post_of
from tests.waiting import wait_until, wait_while


@asynccontextmanager
async def opened(data_dir: Path) -> AsyncIterator[AsyncEngine]:
    """Yield an engine for the bot's database."""
    engine = make_engine(address(None, data_dir))
    try:
        yield engine
    finally:
        await engine.dispose()


async def holds(engine: AsyncEngine, query: Select[Any], *values: object) -> None:
    """Wait until a query of one column returns exactly these values."""

    async def equal() -> bool:
        async with engine.connect() as connection:
            return tuple(await connection.scalars(query)) == values

    await wait_until(equal)


async def _updated(data_dir: Path, first: Update, *more: Update) -> None:
    """Execute statements once the first one finds a row."""
    async with opened(data_dir) as engine:

        async def done() -> bool:
            async with engine.begin() as connection:
                found = (await connection.execute(first)).rowcount > 0
                for statement in more if found else ():
                    await connection.execute(statement)
            return found

        await wait_until(done)


async def age_challenge(data_dir: Path, span: timedelta) -> None:
    """Make the only challenge in the bot's store older, once the bot has remembered its message."""
    past = datetime.now(UTC) - span
    posted = select(PostRow.id).where(
        PostRow.kind == PostKind.CARD, PostRow.subject == ChallengeRow.id, PostRow.message.is_not(None)
    )
    aged = update(ChallengeRow).values(made_at=past, expires_at=past + span / 2)
    await _updated(data_dir, aged.where(posted.exists()))


async def send_queued(data_dir: Path) -> None:
    """Let the only queued direct message be due at once, when it is queued."""
    await _updated(data_dir, update(DirectMessageRow).values(due_at=datetime.now(UTC)))


async def digest_due(data_dir: Path) -> None:
    """Let the only daily message be due at once."""
    await _updated(data_dir, update(DigestRow).values(due_at=datetime.now(UTC)))


async def age_clock(data_dir: Path, *, away_since: datetime | None = None, **times: datetime | None) -> None:
    """Set times of the one clock that runs; `away_since` is when the host was last there."""
    away = [] if away_since is None else [update(AliveRow).values(at=away_since)]
    await _updated(data_dir, update(SeatRow).where(TICKING).values(**times), *away)


async def age_match(data_dir: Path, match: int, span: timedelta, stage: int | None = None) -> None:
    """Make a match, its entries and what its players were told older, once they have been told of this stage."""
    told = select(ForgottenRow.stage).where(ForgottenRow.match_id == match)
    async with opened(data_dir) as engine:
        await holds(engine, told, *([] if stage is None else [stage]))
        async with engine.begin() as connection:
            for table, key, time in (
                (MatchRow, MatchRow.id, "started_at"),
                (PlyRow, PlyRow.match_id, "played_at"),
                (ForgottenRow, ForgottenRow.match_id, "told_at"),
            ):
                times = await connection.scalars(select(getattr(table, time)).where(key == match))
                for at in times.all():
                    aged = update(table).where(key == match, getattr(table, time) == at)
                    await connection.execute(aged.values({time: at - span}))


async def age_standstills(data_dir: Path) -> None:
    """Let the absences of all members and the pauses of all matches end now."""
    now = datetime.now(UTC)
    await _updated(
        data_dir,
        update(MatchRow).where(MatchRow.wakes_at.is_not(None)).values(wakes_at=now),
        update(MemberRow).where(MemberRow.absent_until.is_not(None)).values(absent_until=now),
        update(MatchRow).where(MatchRow.paused_until.is_not(None)).values(paused_until=now),
    )


async def was_alive(data_dir: Path) -> None:
    """Wait until the bot has said that it is there, and knows the boards that it has shown."""
    async with opened(data_dir) as engine:

        async def known() -> bool:
            async with engine.connect() as connection:
                there = (await connection.scalars(select(AliveRow.at))).first() is not None
                boards = select(PostRow.message).where(PostRow.kind == PostKind.BOARD)
                return there and None not in (await connection.scalars(boards)).all()

        await wait_until(known)


async def published(store: Store, kind: PostKind, subject: int, key: str = "") -> Post:
    """Return a post, once it is stored that Discord shows its newest version."""

    async def shown() -> bool:
        post = await store.posts.get(kind, subject, key)
        return post is not None and not post.pending

    await wait_until(shown)
    return await post_of(store, kind, subject, key)


async def all_published(data_dir: Path) -> None:
    """Wait until no post is pending: its row changes after its message does."""
    pending = "SELECT count(*) FROM posts WHERE shown IS NULL OR shown < version"
    with closing(sqlite3.connect(data_dir / FILE_NAME)) as connection:
        await wait_while(lambda: connection.execute(pending).fetchone()[0])
