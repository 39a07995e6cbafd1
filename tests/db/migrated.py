"""Copies of a migrated SQLite file, which all processes of a test run make only once."""

import asyncio
import fcntl
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from db.address import FILE_NAME
from db.engine import open_store

_shared: list[Path] = []
"""The folder that all workers of this test run share. It is empty in programs that are no test run."""


def share(folder: Path) -> None:
    """Let this process use the files of all processes that share this folder."""
    _shared[:] = [folder]


def once(folder: Path, name: str, make: Callable[[], str]) -> str:
    """Return what `make` returns to the first process that asks for this name in this folder."""
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / name).exists():
            (folder / name).write_text(make())
    return (folder / name).read_text()


def migrate(url: str | None, data_dir: Path) -> None:
    """Create the tables of a database. This also works while an event loop runs."""
    with ThreadPoolExecutor(1) as other:
        other.submit(asyncio.run, _open(url, data_dir)).result()


def lay(data_dir: Path) -> Path:
    """Put a file with empty tables into a data folder and return its path."""
    data_dir.mkdir(parents=True, exist_ok=True)
    folder = _shared[0] if _shared else Path(_own_folder().name)
    return Path(shutil.copyfile(_migrated(folder), data_dir / FILE_NAME))


@cache
def _migrated(folder: Path) -> str:
    def make() -> str:
        migrate(None, folder / "migrated")
        return str(folder / "migrated" / FILE_NAME)

    return once(folder, "file", make)


@cache
def _own_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="pencilbox-migrated-")


async def _open(url: str | None, data_dir: Path) -> None:
    async with open_store(url, data_dir):
        pass
