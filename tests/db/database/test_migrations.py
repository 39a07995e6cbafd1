import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from db.address import File, address
from db.engine import make_engine, open_store
from db.migrate import OLDEST, migrate
from db.models import Base
from db.types import UtcTime
from db.upgrade import config
from db.values.matches import NewEntry
from db.values.posts import Companion, PostKind
from tests.db.given import (
    ANNA,
    BERT,
    CHANNEL,
    CLEO,
    DEADLINE,
    FIRST,
    GUILD,
    NOW,
    pending,
    post_of,
    started,
)

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).parents[3]
Schema = dict[str, dict[str, Any]]


@pytest.fixture
def store_url(empty_url: str) -> str:
    """Databases without tables."""
    return empty_url


def schema(connection: Connection) -> Schema:
    """Return everything that the database says about our tables, also what Alembic does not compare."""
    look = sa.inspect(connection)

    def by_name(rows: list[Any]) -> dict[str, dict[str, str]]:
        return {row["name"]: {key: readable(value) for key, value in row.items()} for row in rows}

    definitions: dict[str, str] = {}
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        definitions = {row.name: row.sql for row in rows}
    return {
        table: {
            "columns": by_name(look.get_columns(table)),
            "primary key": look.get_pk_constraint(table)["constrained_columns"],
            "foreign keys": by_name(look.get_foreign_keys(table)),
            "indexes": by_name(look.get_indexes(table)),
            "unique": by_name(look.get_unique_constraints(table)),
            "checks": by_name(look.get_check_constraints(table)),
            "counts up": "AUTOINCREMENT" in definitions.get(table, ""),
        }
        for table in look.get_table_names()
        if table != "alembic_version"
    }


def readable(value: Any) -> str:
    if isinstance(value, dict):  # of an index: its condition has a text, but no repr of its own
        return str({key: str(item) for key, item in value.items()})
    return str(value)


async def run(engine: AsyncEngine, work: Callable[[Connection], Any]) -> Any:
    async with engine.begin() as connection:
        return await connection.run_sync(work)


async def test_the_migrations_lead_to_the_models(engine: AsyncEngine) -> None:
    await run(engine, migrate)
    differences = await run(
        engine, lambda it: compare_metadata(MigrationContext.configure(it), Base.metadata)
    )
    assert differences == []

    migrated: Schema = await run(engine, schema)
    await run(engine, Base.metadata.drop_all)
    await run(engine, Base.metadata.create_all)
    created: Schema = await run(engine, schema)
    assert migrated == created
    assert set(created) == {
        "matches",
        "seats",
        "plies",
        "challenges",
        "participants",
        "members",
        "blocks",
        "guilds",
        "lessons",
        "moments",
        "puzzle_attempts",
        "puzzle_days",
        "puzzle_skills",
        "puzzle_solvers",
        "alerts",
        "departures",
        "alive",
        "proposals",
        "consents",
        "awards",
        "ratings",
        "tallies",
        "rated",
        "rated_seats",
        "outdated_ratings",
        "rating_job",
        "reverted_seats",
        "corrected_skills",
        "bans",
        "maintenance",
        "admin_actions",
        "failed_items",
        "direct_messages",
        "opening_pace",
        "posts",
    }
    assert all(created[table]["checks"] for table in created)


async def test_every_migration_can_be_undone_and_done_again(engine: AsyncEngine) -> None:
    await run(engine, lambda it: command.upgrade(config(it), OLDEST))
    oldest = await run(engine, schema)
    await run(engine, migrate)
    newest = await run(engine, schema)
    await run(engine, lambda it: command.downgrade(config(it), OLDEST))
    assert await run(engine, schema) == oldest
    await run(engine, migrate)
    assert await run(engine, schema) == newest


EARLIER_MATCHES = (
    # id, guild, plies, panel: channel, message, plies; finished, void
    (1, GUILD, 2, (CHANNEL, 11, 2), None, None),  # up to date, and pinned
    (2, GUILD, 2, (CHANNEL, 12, 1), None, None),  # outdated
    (3, GUILD, 0, (None, None, None), None, None),  # never shown
    (4, GUILD, 2, (CHANNEL, 14, 2), None, None),  # up to date, with a call that holds
    (5, GUILD, 2, (CHANNEL, 15, 2), None, None),  # up to date, with a call before the newest entry
    (6, GUILD, 2, (CHANNEL, 16, 2), None, None),  # up to date, with a replaced board, which is pinned
    (7, GUILD, 2, (CHANNEL, 17, 2), None, None),  # up to date, with proposals
    (8, GUILD, 2, (CHANNEL, 18, 2), NOW, None),  # over, not announced
    (9, GUILD, 2, (CHANNEL, 19, 2), NOW, "spam"),  # over, its result reverted
    (10, GUILD, 2, (CHANNEL, 20, 2), NOW, None),  # over, still pinned, and a call was not deleted
    (11, None, 2, (CHANNEL, 21, 1), None, None),  # outdated, in direct messages
    (12, GUILD, 2, (CHANNEL, 22, 2), None, None),  # up to date, to be pinned
    (13, GUILD, 2, (CHANNEL, 23, 2), None, None),  # up to date, an earlier board is still pinned
    (14, GUILD, 2, (CHANNEL, 24, 2), None, None),  # the board is being posted again
)


async def fill_earlier_tables(engine: AsyncEngine) -> None:
    """Store messages of every kind as they were stored before the outbox."""
    setup = {"game": "skull", "options": '{"rows":5,"columns":6}', "players": 2, "version": 1}
    for match, guild, plies, (where, message, shown), over, void in EARLIER_MATCHES:
        panel = {"panel_channel": where, "panel_message": message, "panel_plies": shown}
        state = {"plies": plies, "started_at": NOW, "finished_at": over, "void": void}
        place = {"guild": guild, "channel": CHANNEL}
        await insert(engine, "matches", {"id": match} | setup | place | panel | state)
        for seat, user in enumerate((ANNA, BERT)):
            await insert(engine, "seats", {"match_id": match, "seat": seat, "user_id": user})
        for ply in range(plies):
            entry = {"match_id": match, "ply": ply, "seat": ply, "text": "a1", "played_at": NOW}
            await insert(engine, "plies", entry)
    passing: tuple[tuple[int, int, int | None, int, int | None], ...] = (
        (104, 4, 1, 2, None),
        (105, 5, 0, 1, None),
        (106, 6, None, 1, 2),
        (110, 10, 0, 1, None),
        (24, 14, None, 2, 2),
    )
    for message, match, beside, before, until in passing:
        call = {"message": message, "channel": CHANNEL, "match_id": match}
        await insert(engine, "passing_messages", call | {"plies": before, "until": until, "seat": beside})
    for pin, match, pinned in (
        (11, 1, True),
        (106, 6, True),
        (20, 10, True),
        (22, 12, False),
        (113, 13, True),
    ):
        row = {"message": pin, "channel": CHANNEL, "match_id": match, "pinned": pinned}
        await insert(engine, "pins", row)
    for match in (8, 9):
        await insert(engine, "tidings", {"match_id": match, "since": NOW})
    proposal = {"match_id": 7, "seat": 0, "shown": 2, "made_at": NOW}
    for matter, answer, answered, message in (
        ("takeback", "declined", NOW, 206),
        ("draw", "open", None, 207),
        ("takeback", "open", None, None),
    ):
        answers = {"matter": matter, "answer": answer, "answered_at": answered, "message": message}
        channel = None if message is None else CHANNEL
        await insert(engine, "proposals", proposal | answers | {"channel": channel})
    offer = {key: value for key, value in setup.items() if key in ("game", "options")}
    offer |= {"most": 2, "fewest": 2, "seating": "lot", "public": False, "challenger": ANNA}
    offer |= {"guild": GUILD, "channel": CHANNEL, "made_at": NOW, "expires_at": DEADLINE}
    for message, answer, answered in ((31, "open", None), (None, "open", None), (None, "withdrawn", NOW)):
        answers = {"message": message, "answer": answer, "answered_at": answered}
        await insert(engine, "challenges", offer | answers)
    server = {"channels": "[]", "withheld": "[]", "threads": False}
    for guild, announced in ((GUILD, "2026-10"), (GUILD + 1, None)):
        await insert(engine, "guilds", server | {"guild_id": guild, "announced": announced})
    for number, message, tried, settled, closed in (
        (1, None, None, False, False),  # begun
        (2, None, NOW, False, False),  # doubtful
        (3, 43, None, True, False),  # posted
        (4, 44, None, True, True),  # closed
        (5, None, NOW, True, False),  # given up
    ):
        post = {"guild_id": GUILD, "day": date(2026, 11, number), "channel": CHANNEL, "message": message}
        post |= {"tried_at": tried, "settled": settled}
        await insert(engine, "puzzle_posts", post | {"tried": 3, "solved": 2, "closed": closed})
        await insert(engine, "moment_posts", post)


@pytest.fixture
async def earlier(store_url: str, tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """A database from before the outbox, with messages of every kind."""
    engine = make_engine(address(store_url, tmp_path), foreign_keys=False)  # as migrations get one
    try:
        await run(engine, lambda it: command.upgrade(config(it), "0041"))
        await fill_earlier_tables(engine)
        yield engine
    finally:
        await engine.dispose()


async def test_outbox_knows_the_messages_of_earlier_versions(
    earlier: AsyncEngine, store_url: str, tmp_path: Path
) -> None:
    async with open_store(store_url, tmp_path) as store:
        boards = {match: await post_of(store, PostKind.BOARD, match) for match, *_ in EARLIER_MATCHES}
        for match, guild, _, (channel, message, shown), *_ in EARLIER_MATCHES:
            board = boards[match]
            assert (board.guild, board.channel, board.message) == (guild, channel or CHANNEL, message)
            assert (board.progress, board.shown is None) == (shown or 0, message is None)
            assert board.tried_at is None
        assert await pending(store, at=datetime.now(UTC)) == [2, 3, 5, 6, 7, 10, 12, 13]
        assert [it.subject for it in await store.posts.pending_in(CHANNEL)] == [11]
        assert {match for match, board in boards.items() if board.pinned} == {1, 10}
        assert {match: board.companions for match, board in boards.items() if board.companions} == {
            4: (Companion(CHANNEL, 104, 1, 2),),
            5: (Companion(CHANNEL, 105, 0, 1),),
            6: (Companion(CHANNEL, 106, None, 1),),
            7: (Companion(CHANNEL, 207),),
            10: (Companion(CHANNEL, 110, 0, 1),),
            13: (Companion(CHANNEL, 113),),
        }
        assert [it.told for it in await store.proposals.open(7)] == [True, False]

        for challenge, message in ((1, 31), (2, None), (3, None)):
            assert (await post_of(store, PostKind.CARD, challenge)).message == message
        assert await pending(store, PostKind.CARD, datetime.now(UTC)) == [2]
        for kind, match, key in (
            (PostKind.RESULT, 8, ""),
            (PostKind.VOID, 9, "here"),
            (PostKind.VOID, 9, "results"),
        ):
            found = await post_of(store, kind, match, key)
            assert (found.pending, found.guild, found.channel) == (True, GUILD, CHANNEL)
        assert [await store.posts.get(PostKind.RESULT, match) for match in (1, 9, 10)] == [None] * 3

        for kind in (PostKind.PUZZLE, PostKind.MOMENT):
            posts = [await post_of(store, kind, GUILD, f"2026-11-0{number}") for number in range(1, 6)]
            assert [it.pending for it in posts] == [True, False, False, False, False]
            assert [it.message for it in posts] == [None, None, 43, 44, None]
            assert [it.progress for it in posts] == [0, 0, 0, int(kind is PostKind.PUZZLE), 0]
        for guild in (GUILD, GUILD + 1):
            await store.servers.change(guild, podium=True)
        assert await store.servers.due(PostKind.PODIUM, "2026-10", 0, 10) == [(GUILD + 1, None)]
        assert await pending(store, PostKind.PODIUM) == []


async def insert(engine: AsyncEngine, table: str, row: Mapping[str, object]) -> None:
    columns = (
        sa.column(name, UtcTime() if isinstance(value, datetime) else None) for name, value in row.items()
    )
    async with engine.begin() as connection:
        await connection.execute(sa.table(table, *columns).insert().values(row))


async def rows(engine: AsyncEngine, tables: Sequence[str]) -> dict[str, list[dict[str, object]]]:
    """Return all rows of these tables, with any columns."""
    async with engine.connect() as connection:
        return {
            table: [dict(row) for row in (await connection.execute(query)).mappings()]
            for table in tables
            for query in (sa.text(f"SELECT * FROM {table} ORDER BY 1, 2"),)
        }


async def test_a_migration_that_fails_leaves_no_trace(
    engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if it was killed: tables are created within the transaction, on SQLite too."""
    create_index = Operations.create_index
    made: list[str] = []

    def run_out_of_luck(operations: Operations, name: str, *arguments: Any, **options: Any) -> None:
        made.append(name)
        if name == "ix_seats_playing_user_id":
            raise RuntimeError("out of luck")
        create_index(operations, name, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Operations, "create_index", run_out_of_luck)
        with pytest.raises(RuntimeError, match="out of luck"):
            await run(engine, migrate)
    assert len(made) > 1
    assert await run(engine, lambda it: sa.inspect(it).get_table_names()) == []
    await run(engine, migrate)


async def test_rebuilding_a_table_keeps_the_rows_that_refer_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite a rebuild drops the old table, which must not delete its seats and plies."""
    async with open_store(None, tmp_path) as store:
        match = await started(store)
        await store.matches.append(match.id, 0, NewEntry(FIRST, NOW))
        before = await store.matches.load(match.id)
    rebuilt: list[str] = []

    def rebuild(connection: Connection) -> None:
        operations = Operations(MigrationContext.configure(connection))
        with operations.batch_alter_table("matches", recreate="always") as table:
            table.add_column(sa.Column("mood", sa.String()))
        rebuilt.extend(schema(connection)["matches"]["columns"])

    monkeypatch.setattr("db.engine.migrate", rebuild)
    async with open_store(None, tmp_path) as store:
        assert await store.matches.load(match.id) == before
    assert "mood" in rebuilt


async def test_a_migration_that_breaks_a_reference_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite does not check while foreign keys are off, so the migration checks at the end."""
    file = File(tmp_path / "store.sqlite3")

    def orphan(made: Config, _: str) -> None:
        connection = made.attributes["connection"]
        connection.exec_driver_sql("CREATE TABLE parents (id INTEGER PRIMARY KEY)")
        connection.exec_driver_sql("CREATE TABLE children (parent INTEGER REFERENCES parents)")
        connection.exec_driver_sql("INSERT INTO children VALUES (1)")

    monkeypatch.setattr("db.upgrade.command.upgrade", orphan)
    engine = make_engine(file, foreign_keys=False)
    with pytest.raises(RuntimeError, match="refer to nothing"):
        await run(engine, migrate)
    assert await run(engine, lambda it: sa.inspect(it).get_table_names()) == []
    await engine.dispose()


OPEN = """
import asyncio, sys
from pathlib import Path
from db.engine import open_store

async def main():
    async with open_store(sys.argv[1], Path(sys.argv[2])) as store:
        print(await store.matches.running())

sys.stdin.read()  # all of us together
asyncio.run(main())
"""


async def test_processes_that_start_together_on_a_new_database(store_url: str, tmp_path: Path) -> None:
    processes = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", OPEN, store_url, str(tmp_path)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=ROOT,
        )
        for _ in range(2)
    ]
    said = await asyncio.gather(*(process.communicate(b"") for process in processes))
    assert [output for output, _ in said] == [b"[]\n"] * 2


async def test_everybody_known_to_earlier_versions_gets_a_row(earlier: AsyncEngine) -> None:
    """Members and servers with data are found by retention; computer players and former members are not."""
    for seat, user in ((7, 9001), (8, -5)):
        await insert(earlier, "seats", {"match_id": 1, "seat": seat, "user_id": user})
    await insert(
        earlier, "lessons", {"user_id": CLEO, "game": "skull", "step": 1, "moves": "[]", "done": False}
    )
    await insert(earlier, "members", {"user_id": ANNA, "notice": "none", "forced": True})
    await run(earlier, lambda it: command.upgrade(config(it), "0045"))
    members = {row["user_id"]: row for row in (await rows(earlier, ["members"]))["members"]}
    assert set(members) == {ANNA, BERT, CLEO}
    assert (members[ANNA]["notice"], members[BERT]["notice"]) == ("none", "ping")
    assert {row["active_on"] for row in members.values()} == {None}
    assert GUILD in {row["guild_id"] for row in (await rows(earlier, ["guilds"]))["guilds"]}
