"""Backups of an SQLite file: a copy, which is an SQLite file itself."""

import sqlite3
from contextlib import closing
from pathlib import Path

from db.errors import StoreUnavailable


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


def set_aside(path: Path, name: str) -> Path | None:
    """Rename a database that nobody uses, with what was written ahead of it. Return its new place; None without one."""
    if not path.exists():
        return None
    try:
        # What was written ahead goes into the file, and the files for that are deleted.
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        pass  # It is damaged, perhaps the very reason for restoring a backup: all its files are kept as they are.
    aside = path.with_name(name)
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return aside
