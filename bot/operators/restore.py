"""`python -m bot restore FILE`: put a backup in the place of the database, and check every game in it.

`-` reads the backup from the standard input. The bot must be stopped. Exit status 0: all is well; 1: it is restored,
and the check has found something; 2: nothing was changed.
"""

import asyncio
import shutil
import sqlite3
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from bot.operators.arguments import STREAM, Arguments, run
from bot.operators.check import check
from bot.startup.config import Config
from bot.startup.output import say
from db.address import File, Server, address
from db.backup import postgresql, sqlite_file
from db.backup.files import Kind, beside, kind_of
from db.backup.resumed import prepare
from db.engine import make_engine, open_store
from db.migrate import check_not_too_old, newest
from db.processes.open import exclusively
from db.sqlite_files import ASIDE, is_database, mark, unfinished
from db.values.failures import StoreUnavailable


async def restore(
    url: str | None, data_dir: Path, file: Path, report: Callable[[str], None] = lambda _: None
) -> Path | None:
    """Restore a backup, bring it up to date and prepare it. Return where the database before is now, if it was a file.

    `report` is given a sentence about what a killed restore left. Raises StoreUnavailable; then nothing was changed.
    """
    place = address(url, data_dir)
    if isinstance(place, File) and is_database(file, place.path):
        raise StoreUnavailable(f"{file} is the database itself: name a backup.")
    kind = kind_of(file)
    if (kind is Kind.SQLITE) != isinstance(place, File):
        known = {Kind.SQLITE: "an SQLite file", Kind.POSTGRESQL: "a PostgreSQL database"}
        raise StoreUnavailable(
            f"{file} is a backup of {known[kind]}: let DATABASE_URL name one of that kind."
        )
    async with exclusively(url, data_dir):
        if isinstance(place, File):
            if left := unfinished(place.path):
                for part in left:
                    part.unlink()
                names = ", ".join(part.name for part in left)
                report(f"A restore that was killed had left these files, which are deleted now: {names}.")
            return await _restore_file(place.path, file)
        await _restore_server(place, url, data_dir, file)
        return None


async def _restore_file(path: Path, file: Path) -> Path | None:
    """Make the new database beside the old one, and put it there when it is ready."""
    aside: list[Path | None] = []
    name = f"{path.name}{ASIDE}{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    with beside(path, lambda part: aside.append(sqlite_file.exchange(part, path, name))) as part:
        _check_known(file, await asyncio.to_thread(sqlite_file.copy_database, file, part))
        await _bring_up_to_date(f"sqlite:///{quote(str(part))}", path.parent)
        with closing(sqlite3.connect(part)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # one file again
    mark(path)
    return aside[0]


async def _restore_server(place: Server, url: str | None, data_dir: Path, file: Path) -> None:
    _check_known(file, await asyncio.to_thread(postgresql.verify, file))
    await asyncio.to_thread(postgresql.load, place, file)
    await _bring_up_to_date(url, data_dir)


async def _bring_up_to_date(url: str | None, data_dir: Path) -> None:
    """Migrate a restored database, and prepare it for what members have seen meanwhile."""
    now = datetime.now(UTC)
    async with open_store(url, data_dir) as store:
        await store.ratings.renew(now)
    engine = make_engine(address(url, data_dir))
    await prepare(engine, now)
    await engine.dispose()


def _check_known(file: Path, revision: str) -> None:
    check_not_too_old(revision, str(file))
    if revision > newest():
        raise StoreUnavailable(
            f"{file} is of version {revision}, and this Pencilbox knows {newest()} at most: install the newer one."
        )


async def _restore(given: Namespace, config: Config) -> int:
    if given.file == STREAM:
        with TemporaryDirectory() as folder:
            file = Path(folder, "standard-input")
            await asyncio.to_thread(_read_in, file)
            return await _restore_from(file, "The backup", config)
    return await _restore_from(Path(given.file), given.file, config)


async def _restore_from(file: Path, name: str, config: Config) -> int:
    before = await restore(config.database, config.data_dir, file, say)
    kept = "" if before is None else f" The database before is {before}; delete it when all is well."
    say(f"{name} is restored.{kept}")
    checked = await check(config.database, config.data_dir, say)
    say(checked)
    return 1 if checked.findings else 0


def _read_in(file: Path) -> None:
    with file.open("wb") as received:
        shutil.copyfileobj(sys.stdin.buffer, received)


def main() -> int:
    arguments = Arguments("restore")
    purpose = "a file that python -m bot backup wrote; - for the standard input"
    arguments.add_argument("file", metavar="FILE", help=purpose)
    return run(arguments, _restore)
