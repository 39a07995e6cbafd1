"""`python -m db.revise "add ratings"`: write the migration to the present db.models, for you to read and tidy."""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from sqlalchemy import Connection

from db.address import File
from db.engine import make_engine
from db.migrate import migrate, newest
from db.upgrade import config


def revise(connection: Connection, message: str) -> None:
    """Compare an empty database of the last version with the models and write a migration for the difference."""
    migrate(connection)
    command.revision(config(connection), message, autogenerate=True, rev_id=f"{int(newest()) + 1:04}")


async def main(message: str) -> None:
    with TemporaryDirectory() as folder:
        engine = make_engine(File(Path(folder) / "revise.sqlite3"), foreign_keys=False)
        async with engine.begin() as connection:
            await connection.run_sync(revise, message)
        await engine.dispose()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit('Describe the change: python -m db.revise "add ratings".')
    asyncio.run(main(sys.argv[1]))
