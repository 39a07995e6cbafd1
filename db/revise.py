"""`.venv/bin/python -m db.revise "ratings of members"`: write the migration to the present db.models, for you to read.

The title says what is stored now. New columns are added to the tables in place; any other change copies the table on
SQLite, in a batch.
"""

import asyncio
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from alembic.operations.ops import (
    AddColumnOp,
    DropColumnOp,
    MigrateOperation,
    MigrationScript,
    ModifyTableOps,
)
from alembic.runtime.migration import MigrationContext
from alembic.script.write_hooks import register
from sqlalchemy import Connection, Enum

from db.address import File
from db.engine import make_engine
from db.migrate import migrate, newest
from db.upgrade import config


def revise(connection: Connection, title: str) -> None:
    """Compare an empty database of the last version with the models and write a migration for the difference."""
    migrate(connection)
    alembic = config(connection)
    alembic.set_section_option("post_write_hooks", "hooks", "uncomment, format")
    alembic.set_section_option("post_write_hooks", "uncomment.type", "uncomment")
    alembic.set_section_option("post_write_hooks", "format.type", "module")
    alembic.set_section_option("post_write_hooks", "format.module", "ruff")
    alembic.set_section_option("post_write_hooks", "format.options", "format REVISION_SCRIPT_FILENAME")
    command.revision(
        alembic,
        f"{title[:1].upper()}{title[1:].rstrip('.')}.",
        autogenerate=True,
        rev_id=f"{int(newest()) + 1:04}",
        process_revision_directives=_in_place,
    )


@register("uncomment")
def _uncomment(path: str, options: object) -> None:
    """Remove the comments that Alembic writes around the operations."""
    script = Path(path)
    lines = script.read_text(encoding="utf-8").splitlines(keepends=True)
    script.write_text("".join(line for line in lines if "# ### " not in line), encoding="utf-8")


def _in_place(context: MigrationContext, revision: object, scripts: list[MigrationScript]) -> None:
    """Take columns that SQLite can add and drop in place out of the batches that copy their tables."""
    for script in scripts:
        if script.upgrade_ops is not None:
            script.upgrade_ops.ops[:] = _unpacked(script.upgrade_ops.ops)


def _unpacked(operations: Iterable[MigrateOperation]) -> Iterator[MigrateOperation]:
    for operation in operations:
        if isinstance(operation, ModifyTableOps) and all(map(_is_plain, operation.ops)):
            yield from operation.ops
        else:
            yield operation


def _is_plain(operation: MigrateOperation) -> bool:
    """Return True for a column without a key or a check."""
    if not isinstance(operation, AddColumnOp | DropColumnOp):
        return False
    column = operation.to_column()
    return not column.foreign_keys and not column.unique and not isinstance(column.type, Enum)


async def main(title: str) -> None:
    with TemporaryDirectory() as folder:
        engine = make_engine(File(Path(folder) / "revise.sqlite3"), foreign_keys=False)
        async with engine.begin() as connection:
            await connection.run_sync(revise, title)
        await engine.dispose()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit('Say what is stored now: .venv/bin/python -m db.revise "ratings of members".')
    asyncio.run(main(sys.argv[1]))
