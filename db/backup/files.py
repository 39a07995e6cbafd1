"""The file of a backup: written beside its place, for its owner alone, and put there only when it is whole."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from db.errors import StoreUnavailable


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
def beside(file: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield an empty file in the same folder, readable for its owner alone, which becomes `file` at the end.

    If the block raises, nothing remains. Raises StoreUnavailable if `file` exists, unless it is to be replaced.
    """
    if not replace and file.exists():
        raise _taken(file)
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".part")
    except OSError as error:
        raise StoreUnavailable(f"{file} cannot be written ({error.strerror}): name another place.") from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        _to_disk(part)
        _put(part, file, replace=replace)
        _to_disk(file.parent)
    except OSError as error:
        raise StoreUnavailable(
            f"{file} cannot be written ({error.strerror}): make room, or name another."
        ) from None
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            part.with_name(part.name + ending).unlink(missing_ok=True)


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


def _to_disk(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
