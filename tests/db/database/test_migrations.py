import asyncio
import sys
from collections.abc import Callable
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

from db.address import File
from db.engine import make_engine, open_store
from db.migrate import OLDEST, migrate
from db.models import Base
from db.upgrade import config
from db.values.matches import NewEntry
from tests.db.given import FIRST, NOW, started
from tests.db.migrated import lay

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


async def test_migrations_lead_to_the_models(engine: AsyncEngine) -> None:
    await run(engine, lambda it: command.upgrade(config(it), OLDEST))
    await run(engine, migrate)
    migrated: Schema = await run(engine, schema)
    differences = await run(
        engine, lambda it: compare_metadata(MigrationContext.configure(it), Base.metadata)
    )
    assert differences == []

    await run(engine, Base.metadata.drop_all)
    await run(engine, Base.metadata.create_all)
    created: Schema = await run(engine, schema)
    assert migrated == created
    assert all(created[table]["checks"] for table in created)


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
    lay(tmp_path)
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
import asyncio, os, sys
from pathlib import Path
import db.upgrade
from db.engine import open_store

async def main():
    async with open_store(sys.argv[1], Path(sys.argv[2])) as store:
        print(await store.matches.running(), flush=True)

def begun():
    if child := os.fork():
        return child
    asyncio.run(main())
    os._exit(0)

assert not any([os.waitpid(child, 0)[1] for child in [begun(), begun()]])
"""


@pytest.mark.soak
@pytest.mark.on_postgresql
async def test_processes_that_start_together_on_a_new_database(store_url: str, tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", OPEN, store_url, str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=ROOT,
    )
    said, _ = await process.communicate()
    # Both write into one pipe, so the ends of their lines may come together.
    assert (process.returncode, said.replace(b"\n", b"")) == (0, b"[][]")
