"""`python -m bot restore FILE`: put a backup in the place of the database, and check every game in it.

`-` reads the backup from the standard input. The bot must be stopped. Exit status 0: all is well; 1: it is restored,
and the check has found something; 2: nothing was changed.
"""

import asyncio
import shutil
import sqlite3
import sys
from argparse import Namespace
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.operators.arguments import STREAM, Arguments, run
from bot.operators.check import check
from bot.startup.config import Config
from db.address import File, Server, address
from db.backup import postgresql, sqlite_file
from db.backup.files import Kind, beside, kind_of
from db.backup.resumed import prepare
from db.engine import make_engine, open_store
from db.errors import StoreUnavailable
from db.inspection.finding import Finding
from db.migrate import newest
from db.processes.exclusive import exclusively


async def restore(url: str | None, data_dir: Path, file: Path) -> Path | None:
    """Restore a backup, bring it up to date and prepare it. Return where the database before is now, if it was a file.

    Raises StoreUnavailable; then nothing was changed.
    """
    place = address(url, data_dir)
    kind = kind_of(file)
    if (kind is Kind.SQLITE) != isinstance(place, File):
        known = {Kind.SQLITE: "an SQLite file", Kind.POSTGRESQL: "a PostgreSQL database"}
        raise StoreUnavailable(
            f"{file} is a backup of {known[kind]}: let DATABASE_URL name one of that kind."
        )
    async with exclusively(url, data_dir):
        if isinstance(place, File):
            return await _restore_file(place.path, file)
        await _restore_server(place, url, data_dir, file)
        return None


async def _restore_file(path: Path, file: Path) -> Path | None:
    """Make the new database beside the old one, and put it there when it is ready."""
    with beside(path, replace=True) as part:
        _check_known(file, await asyncio.to_thread(sqlite_file.copy_database, file, part))
        await _bring_up_to_date(f"sqlite:///{part.absolute()}", path.parent)
        with closing(sqlite3.connect(part)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # one file again
        return sqlite_file.set_aside(path, f"{path.name}.before-{datetime.now(UTC):%Y%m%d-%H%M%S}")


async def _restore_server(place: Server, url: str | None, data_dir: Path, file: Path) -> None:
    _check_known(file, await asyncio.to_thread(postgresql.verify, file))
    await asyncio.to_thread(postgresql.load, place, file)
    await _bring_up_to_date(url, data_dir)


async def _bring_up_to_date(url: str | None, data_dir: Path) -> None:
    """Migrate a restored database, and prepare it for what members have seen meanwhile."""
    now = datetime.now(UTC)
    async with open_store(url, data_dir) as store:
        await store.renew_ratings(now)
    engine = make_engine(address(url, data_dir))
    await prepare(engine, now)
    await engine.dispose()


def _check_known(file: Path, revision: str) -> None:
    if revision > newest():
        raise StoreUnavailable(
            f"{file} is of version {revision}, and this Pencilbox knows {newest()} at most: install the newer one."
        )


def _print(finding: Finding) -> None:
    print(finding, flush=True)  # noqa: T201 - a command line answers


async def _restore(given: Namespace, config: Config) -> int:
    if given.file == STREAM:
        with TemporaryDirectory() as folder:
            file = Path(folder, "standard-input")
            await asyncio.to_thread(_read_in, file)
            return await _restore_from(file, "The backup", config)
    return await _restore_from(Path(given.file), given.file, config)


async def _restore_from(file: Path, name: str, config: Config) -> int:
    before = await restore(config.database, config.data_dir, file)
    kept = "" if before is None else f" The database before is {before}; delete it when all is well."
    print(f"{name} is restored.{kept}", flush=True)  # noqa: T201 - a command line answers
    checked = await check(config.database, config.data_dir, _print)
    print(checked)  # noqa: T201 - a command line answers
    return 1 if checked.findings else 0


def _read_in(file: Path) -> None:
    with file.open("wb") as received:
        shutil.copyfileobj(sys.stdin.buffer, received)


def main() -> int:
    arguments = Arguments("restore")
    purpose = "a file that python -m bot backup wrote; - for the standard input"
    arguments.add_argument("file", metavar="FILE", help=purpose)
    return run(arguments, _restore)


if __name__ == "__main__":
    sys.exit(main())
