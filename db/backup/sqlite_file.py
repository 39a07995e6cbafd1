"""Backups of an SQLite file: a copy, which is an SQLite file itself."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from db.backup.files import to_disk
from db.sqlite_files import JOURNAL, SHM, WAL, companion
from db.values.failures import StoreUnavailable


def copy_database(path: Path, to: Path) -> str:
    """Copy a database as it is at one moment, while others read and write it; verify the copy, return its revision.

    `to` is an empty file. Raises StoreUnavailable if the copy is damaged, as it is if the database is.
    """
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(to)) as copy,
        ):
            # In one step: readers of a file that is written ahead hinder no writer, and see one moment.
            source.backup(copy)
            # The copy is to be one file.
            copy.execute("PRAGMA journal_mode = DELETE")
            return verify(copy, path)
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{path} cannot be copied ({error}): python -m bot check says more.") from None


def verify(connection: sqlite3.Connection, path: Path) -> str:
    """Return the revision of a database whose pages and references are whole. Raises StoreUnavailable."""
    try:
        damage = [said for (said,) in connection.execute("PRAGMA integrity_check(1)") if said != "ok"]
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        raise StoreUnavailable(
            f"{path} is damaged or no database of Pencilbox ({error}): use another."
        ) from None
    if damage or broken:
        raise StoreUnavailable(
            f"{path} is damaged: python -m bot check says more about a database that is in use."
        )
    if revision is None:
        raise StoreUnavailable(
            f"{path} does not say its version, so it is no whole database of Pencilbox: use another."
        )
    return str(revision[0])


def exchange(part: Path, path: Path, name: str) -> Path | None:
    """Let a whole database take the place of another, and keep that under a name in the same folder.

    Return its new place; None if there was none. The caller holds the lock of the database. Whenever this process is
    killed, the old or the new database stands at `path`; db.sqlite_files.undo_exchange tidies up. Raises
    StoreUnavailable if another program has the old one open.
    """
    if not path.exists():
        part.replace(path)
        return None
    aside = path.with_name(name)
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        try:
            # What was written ahead goes into the file, and its log is deleted: SQLite would apply that to the new
            # file. This needs the database alone, and no other program opens it until it is exchanged.
            old.execute("PRAGMA journal_mode = DELETE")
            old.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise StoreUnavailable(
                    f"Another program has {path} open: wait until it has ended, and give the command again."
                ) from None
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
                raise StoreUnavailable(
                    f"The disk of {path} is full: make room there, and try again."
                ) from None
            # It is damaged, perhaps the very reason for restoring a backup: its log is kept as it is.
        _name_also(path, aside)
        for ending in (WAL, SHM, JOURNAL):
            if companion(path, ending).exists():
                companion(path, ending).rename(companion(aside, ending))
        to_disk(path.parent)
        part.replace(path)
    return aside


def _name_also(path: Path, name: Path) -> None:
    """Give a file a second name, or copy it where the file system has no hard links."""
    try:
        os.link(path, name)
    except OSError:
        part = name.with_name(f".{name.name}.part")
        shutil.copyfile(path, part)
        to_disk(part)
        part.replace(name)
