"""The file of a backup: written beside its place, for its owner alone, and put there only when it is whole."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from db.sqlite_files import COMPANIONS, companion, in_use, is_database
from db.values.failures import StoreUnavailable


class Kind(Enum):
    """The kinds of backups, by the bytes with which they begin."""

    SQLITE = b"SQLite format 3\0"
    POSTGRESQL = b"PGDMP"


def kind_of(file: Path) -> Kind:
    """Return the kind of a backup. Raises StoreUnavailable for any other file."""
    try:
        with file.open("rb") as opened:
            start = opened.read(16)
    except OSError as error:
        raise StoreUnavailable(
            f"The backup {file} cannot be read ({error.strerror}): name another."
        ) from None
    for kind in Kind:
        if start.startswith(kind.value):
            return kind
    raise StoreUnavailable(f"{file} is no backup of Pencilbox: name a file that python -m bot backup wrote.")


@contextmanager
def beside(file: Path, put: Callable[[Path], None]) -> Iterator[Path]:
    """Yield an empty file in the same folder, readable for its owner alone, and at the end let `put` rename it.

    If the block raises, nothing remains. Raises StoreUnavailable if the folder cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".part")
    except OSError as error:
        raise StoreUnavailable(f"{file} cannot be written ({error.strerror}): name another place.") from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        to_disk(part)
        put(part)
        to_disk(file.parent)
    except OSError as error:
        raise StoreUnavailable(
            f"{file} cannot be written ({error.strerror}): make room, or name another."
        ) from None
    finally:
        for ending in ("", *COMPANIONS):
            companion(part, ending).unlink(missing_ok=True)


@contextmanager
def new_backup(file: Path, database: Path | None, *, replace: bool = False) -> Iterator[Path]:
    """Yield an empty file as `beside` does, which becomes the backup `file` of a database.

    Raises StoreUnavailable if `file` exists, unless it is to be replaced, and always if it is a database in use or a
    file beside one. `database` is the file that is backed up, if it is one.
    """

    def check() -> None:
        target = file.resolve()
        if (database is not None and is_database(target, database)) or in_use(target):
            raise StoreUnavailable(
                f"{file} is a database of the bot or a file beside one, which no backup may replace: name another file."
            )
        if not replace and file.exists():
            raise _taken(file)

    def put(part: Path) -> None:
        check()  # A bot may have been started on it meanwhile.
        _put(part, file, replace=replace)

    check()
    with beside(file, put) as part:
        yield part


def _put(part: Path, file: Path, *, replace: bool) -> None:
    if not replace:
        try:
            # Unlike a renamed file, a link never takes the place of a file that has appeared meanwhile.
            os.link(part, file)
        except FileExistsError:
            raise _taken(file) from None
        except OSError:  # no links on this file system
            if file.exists():
                raise _taken(file) from None
        else:
            return
    part.replace(file)


def _taken(file: Path) -> StoreUnavailable:
    return StoreUnavailable(f"{file} exists already: name another file, or add --force to replace it.")


def to_disk(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
