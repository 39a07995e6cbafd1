"""`python -m bot backup FILE`: write the whole database into one file, while the bot runs.

`-` writes it to the standard output, once it is whole and verified.
"""

import asyncio
import os
import shutil
import sys
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.operators.arguments import STREAM, Arguments, run
from bot.startup.config import Config, ConfigError
from bot.startup.output import complain, say
from db.address import File, Server, address
from db.backup import postgresql, sqlite_file
from db.backup.files import new_backup
from db.engine import existing
from db.sqlite_files import COMPANIONS, companion
from db.values.failures import StoreUnavailable


async def backup(url: str | None, data_dir: Path, file: Path, *, replace: bool = False) -> str:
    """Write a database, named as for `open_store`, into a file and return its revision. Raises StoreUnavailable."""
    place = await existing(url, data_dir)
    database = place.path if isinstance(place, File) else None
    with new_backup(file, database, replace=replace) as part:
        if isinstance(place, File):
            return await asyncio.to_thread(sqlite_file.copy_database, place.path, part)
        return await asyncio.to_thread(postgresql.dump, place, part)


async def _backup(given: Namespace, config: Config) -> int:
    if given.file == STREAM:
        return await _send(config)
    file = Path(given.file)
    revision = await backup(config.database, config.data_dir, file, replace=given.force)
    say(f"{file} holds the whole database, at version {revision}; it is verified.")
    return 0


async def _send(config: Config) -> int:
    if sys.stdout.isatty():
        raise ConfigError("A backup is no text: let it go into a file, with > FILE.")
    _check_stream(address(config.database, config.data_dir))
    with TemporaryDirectory() as folder:
        file = Path(folder, "backup")
        revision = await backup(config.database, config.data_dir, file)
        await asyncio.to_thread(_write_out, file)
    complain(f"This is the whole database, at version {revision}; it is verified.")
    return 0


def _check_stream(place: File | Server) -> None:
    """Raise StoreUnavailable if the standard output leads into the database or a file beside it."""
    if isinstance(place, File):
        stream = os.fstat(sys.stdout.fileno())
        for file in (companion(place.path, ending) for ending in ("", *COMPANIONS)):
            if file.exists() and os.path.samestat(file.stat(), stream):
                raise StoreUnavailable(
                    f"The standard output is {file}, a file of the database: name another."
                )


def _write_out(file: Path) -> None:
    try:
        with file.open("rb") as whole:
            shutil.copyfileobj(whole, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except OSError as error:
        reason = error.strerror
        raise StoreUnavailable(
            f"The standard output does not take the backup ({reason}): try again."
        ) from None


def main() -> int:
    arguments = Arguments("backup")
    purpose = "the file to write, which only you may read; - for the standard output"
    arguments.add_argument("file", metavar="FILE", help=purpose)
    arguments.add_argument("--force", action="store_true", help="replace FILE if it exists")
    return run(arguments, _backup)
