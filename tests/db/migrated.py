"""Copies of a migrated SQLite file, which each process of tests makes only once."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from db.address import FILE_NAME
from db.engine import open_store


def migrate(url: str | None, data_dir: Path) -> None:
    """Create the tables of a database. This also works while an event loop runs."""
    with ThreadPoolExecutor(1) as other:
        other.submit(asyncio.run, _open(url, data_dir)).result()


def lay(data_dir: Path) -> Path:
    """Put a file with empty tables into a data folder and return its path."""
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
