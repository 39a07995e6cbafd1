"""`python -m bot backup FILE`: write the whole database into one file, while the bot runs."""

import asyncio
import sys
from argparse import Namespace
from pathlib import Path

from bot.operators.arguments import Arguments, run
from bot.startup.config import Config
from db.address import File
from db.backup import postgresql, sqlite_file
from db.backup.files import beside
from db.engine import existing


async def backup(url: str | None, data_dir: Path, file: Path, *, replace: bool = False) -> str:
    """Write a database, named as for `open_store`, into a file and return its revision. Raises StoreUnavailable."""
    place = await existing(url, data_dir)
    with beside(file, replace=replace) as part:
        if isinstance(place, File):
            return await asyncio.to_thread(sqlite_file.copy_database, place.path, part)
        return await asyncio.to_thread(postgresql.dump, place, part)


async def _backup(given: Namespace, config: Config) -> int:
    file = Path(given.file)
    revision = await backup(config.database, config.data_dir, file, replace=given.force)
    print(f"{file} holds the whole database, at version {revision}; it is verified.")  # noqa: T201 - a command line answers
    return 0


def main() -> int:
    arguments = Arguments("backup")
    arguments.add_argument("file", metavar="FILE", help="the file to write; only you may read it")
    arguments.add_argument("--force", action="store_true", help="replace FILE if it exists")
    return run(arguments, _backup)


if __name__ == "__main__":
    sys.exit(main())
