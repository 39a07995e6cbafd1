"""Databases that are migrated already: the tables are made once a process of tests, and copied from then on."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from db.address import FILE_NAME
from db.engine import open_store


def migrate(url: str | None, data_dir: Path) -> None:
    """Make the tables of a database. Works where an event loop runs already, too."""
    with ThreadPoolExecutor(1) as other:
        other.submit(asyncio.run, _open(url, data_dir)).result()


def lay(data_dir: Path) -> Path:
    """Lay an empty database with all its tables into a data folder; its file."""
    data_dir.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(Path(_folder().name) / FILE_NAME, data_dir / FILE_NAME))


@cache
def _folder() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory(prefix="pencilbox-migrated-")
    migrate(None, Path(folder.name))
    return folder


async def _open(url: str | None, data_dir: Path) -> None:
    async with open_store(url, data_dir):
        pass
