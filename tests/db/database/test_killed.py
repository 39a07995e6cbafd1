"""A process that is killed loses nothing that was confirmed, and leaves nothing half done.

In `make test` a statement fails in its place; `make soak` kills at every statement.
"""

import asyncio
import shutil
import sys
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, Executable, MetaData, Row, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import FILE_NAME, address
from db.engine import make_engine, open_store, prepare
from db.migrate import OLDEST, newest
from db.models import (
    AwardRow,
    ChallengeRow,
    MatchRow,
    ParticipantRow,
    PlyRow,
    PostRow,
    RatedSeatRow,
    SeatRow,
)
from db.store import Store
from db.upgrade import config
from tests.app.conftest import Host
from tests.db.database.killed import FIRST_CHANNEL, KAI, story
from tests.db.ladder import assert_counted
from tests.db.life import holding
from tests.db.statements import fails_at
from tests.stored.version import unpack

ROOT = Path(__file__).parents[3]
Contents = dict[str, list[dict[str, Any]]]
Told = tuple[list[Row[Any]], ...]


async def told(engine: AsyncEngine, channel: int) -> Told:
    """Return all rows of one run, by its channel, without ids and other differences between runs."""
    of_match = MatchRow.channel == channel
    queries: list[Executable] = [
        select(ChallengeRow.answer, ChallengeRow.match_id.is_(None), MatchRow.plies)
        .outerjoin(MatchRow, MatchRow.id == ChallengeRow.match_id)
        .where(ChallengeRow.channel == channel)
        .order_by(ChallengeRow.id),
        select(ParticipantRow.number, ParticipantRow.user_id, ParticipantRow.reply, ParticipantRow.settled_at)
        .join(ChallengeRow, ChallengeRow.id == ParticipantRow.challenge_id)
        .where(ChallengeRow.channel == channel)
        .order_by(ChallengeRow.id, ParticipantRow.number),
        select(MatchRow.plies, MatchRow.finished_at, MatchRow.void).where(of_match),
        select(
            *(PostRow.kind, PostRow.key, PostRow.version, PostRow.shown, PostRow.due_at),
            *(PostRow.message, PostRow.progress, func.length(PostRow.companions) > len("[]")),
        )
        .where(PostRow.channel == channel)
        .order_by(PostRow.id),
        select(AwardRow.user_id, AwardRow.key, AwardRow.earned_at)
        .join(MatchRow, MatchRow.id == AwardRow.match_id)
        .where(of_match),
        select(SeatRow.seat, SeatRow.user_id, SeatRow.outcome)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .where(of_match)
        .order_by(SeatRow.seat),
        select(RatedSeatRow.seat, RatedSeatRow.rank)
        .join(MatchRow, MatchRow.id == RatedSeatRow.match_id)
        .where(of_match)
        .order_by(RatedSeatRow.seat),
        select(PlyRow.ply, PlyRow.seat, PlyRow.text)
        .join(MatchRow, MatchRow.id == PlyRow.match_id)
        .where(of_match)
        .order_by(PlyRow.ply),
    ]
    async with engine.connect() as connection:
        return tuple([list(await connection.execute(query)) for query in queries])


@pytest.mark.parametrize("number", [40, 90])
async def test_failed_statement_leaves_nothing_half_done(
    store: Store, engine: AsyncEngine, number: int
) -> None:
    chapters = [await told(engine, 1), *[await told(engine, 1) async for _ in story(store, 1)]]
    assert len({repr(chapter) for chapter in chapters}) == len(chapters) == 12
    steps = 0
    with fails_at(number), pytest.raises(ZeroDivisionError):
        async for _ in story(store, 2):
            steps += 1
    assert await told(engine, 2) == chapters[steps]
    await assert_counted(engine)


@pytest.mark.soak
async def test_killed_at_any_statement(store_url: str, tmp_path: Path, engine: AsyncEngine) -> None:
    async with open_store(store_url, tmp_path) as store:
        chapters = [await told(engine, 1), *[await told(engine, 1) async for _ in story(store, 1)]]
    lives = [run async for run in runs(store_url, tmp_path)]
    for channel, steps in lives[:-1]:
        # The step that it died in is there as a whole, or not at all.
        assert await told(engine, channel) in chapters[steps : steps + 2], (
            f"statement {channel - FIRST_CHANNEL}"
        )
    channel, steps = lives[-1]
    assert steps == len(chapters) - 1
    assert await told(engine, channel) == chapters[-1]
    assert {steps for _, steps in lives} == set(range(len(chapters)))
    await assert_counted(engine)


async def runs(url: str, folder: Path, *more: str) -> AsyncIterator[tuple[int, int]]:
    """Run tests.db.database.killed, and yield the channel and the steps of each run."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.db.database.killed", url, str(folder), *more),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    for line in output.splitlines():
        channel, steps = map(int, line.split())
        yield channel, steps


@pytest.mark.soak
async def test_failed_migration_is_done_by_the_next_start(empty_url: str, tmp_path: Path) -> None:
    await stored(empty_url, tmp_path)
    before = await contents(empty_url, tmp_path)
    with fails_at(150), pytest.raises(ZeroDivisionError):
        await prepare(empty_url, tmp_path)
    assert await contents(empty_url, tmp_path) == before
    await prepare(empty_url, tmp_path)
    assert_migrated(before, await contents(empty_url, tmp_path))


@pytest.mark.soak
async def test_killed_migration_is_done_by_the_next_start(empty_url: str, tmp_path: Path) -> None:
    await stored(empty_url, tmp_path)
    before = await contents(empty_url, tmp_path)
    lives = [steps async for _, steps in runs(empty_url, tmp_path, "migrate")]
    assert len(lives) > 2
    assert lives == [0] * (len(lives) - 1) + [1]
    assert_migrated(before, await contents(empty_url, tmp_path))


def assert_migrated(before: Contents, after: Contents) -> None:
    """Compare all columns of what 50da8a01 stored with those that the newest version has in common with it."""
    assert after.pop("alembic_version") == [{"version_num": newest()}]
    assert before.pop("alembic_version") == [{"version_num": OLDEST}]
    assert sum(map(len, before.values())) > 500
    posts = after["posts"]
    for kind, table, message in (("board", "matches", "panel_message"), ("card", "challenges", "message")):
        messages = sorted((row["id"], row[message]) for row in before[table])
        assert sorted((it["subject"], it["message"]) for it in posts if it["kind"] == kind) == messages
    announced = {it["subject"] for it in posts if it["kind"] in ("result", "void")}
    assert announced == {row["match_id"] for row in before.pop("tidings")}
    dropped = before.keys() - after.keys()
    assert dropped == {"moment_posts", "passing_messages", "pins", "puzzle_posts"}
    for table in before.keys() - dropped:
        rows = before[table]
        both = set(rows[0]).intersection(after[table][0]) if rows else set()
        earlier, later = ([[row[name] for name in sorted(both)] for row in it] for it in (rows, after[table]))
        added = Counter(map(repr, later))
        added.subtract(map(repr, earlier))
        # Members and servers who had chosen nothing get a row.
        assert set(added.values()) <= ({0, 1} if table in ("members", "guilds") else {0}), table


@pytest.mark.soak
async def test_killed_deletion_of_a_member_is_completed(
    store_url: str, own_database: None, tmp_path: Path, engine: AsyncEngine
) -> None:
    """Killed at any statement, it has left everything in place but open games, and the next try deletes the rest.

    tests/db/members/test_privacy.py lets one statement fail.
    """
    found = []
    async for channel, steps in runs(store_url, tmp_path, "forget"):
        user = KAI + channel - FIRST_CHANNEL
        assert steps > 0, "the member has played"
        async with open_store(store_url, tmp_path) as store:
            found.append(frozenset(await store.privacy.export(user)))
            host = Host(store)
            await host.services.privacy.forget(user)
        assert await holding(engine, user) == set()
    *killed, finished = found
    assert finished == set()
    assert all(kind >= killed[0] for kind in killed), "nothing is deleted before everything is"
    assert {"members", "awards", "seats", "blocks", "lessons"} <= killed[0]
    assert len(found) > 2


async def stored(url: str, folder: Path) -> None:
    """Write what 50da8a01 stored into an empty database, at the revision of then."""
    packed = folder / "stored"
    packed.mkdir()
    unpack(packed)
    if url.startswith("sqlite"):
        shutil.copyfile(packed / FILE_NAME, url.removeprefix("sqlite:///"))
        return
    rows = await contents(f"sqlite:///{packed / FILE_NAME}", packed)
    engine = make_engine(address(url, folder))
    async with engine.begin() as connection:
        await connection.run_sync(lambda it: command.upgrade(config(it), OLDEST))
        tables = await connection.run_sync(reflected)
        for table in tables.sorted_tables:
            if rows[table.name] and table.name != "alembic_version":
                await connection.execute(table.insert(), [zoned(row) for row in rows[table.name]])
    await engine.dispose()


def zoned(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of SQLite, which keeps times without their zone, as PostgreSQL takes it."""
    return {
        name: value.replace(tzinfo=UTC) if isinstance(value, datetime) else value
        for name, value in row.items()
    }


async def contents(url: str, folder: Path) -> Contents:
    """Return all rows of all tables, whatever the version of the database."""
    engine = make_engine(address(url, folder))
    async with engine.connect() as connection:
        tables = await connection.run_sync(reflected)
        found = {
            table.name: [dict(row) for row in (await connection.execute(select(table))).mappings()]
            for table in tables.sorted_tables
        }
    await engine.dispose()
    return found


def reflected(connection: Connection) -> MetaData:
    metadata = MetaData()
    metadata.reflect(connection)
    return metadata
