"""The files of an SQLite database: their names, the checks before a start opens them, and what a restore left."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic

import structlog

from db.migrate import newest
from db.models import Base
from db.values.failures import StoreUnavailable

log = structlog.get_logger()

WAL, SHM, JOURNAL = "-wal", "-shm", "-journal"
LOCK = ".turn"
"""The ending of the file that the serving process locks. Earlier versions use the same name."""
MARK = ".begun"
"""The ending of the file that says that a database has been kept here."""
COMPANIONS = (WAL, SHM, JOURNAL, LOCK, MARK)
ASIDE = ".before-"
"""Follows the name of a database in the name under which a restore keeps it."""

CHECK_S = 5.0
"""Seconds after which the check of the content at a start ends, whatever is left to read."""
_STEPS = 50_000
"""The steps of SQLite's machine between two looks at the clock."""

_HEADER = 20
"""The bytes of a database that are read to see if it has a write-ahead log."""
_WRITTEN_AHEAD = b"\2\2"
"""Bytes 18 and 19 of a database that has a write-ahead log."""

_MARKED = """\
Games have been kept in {name}, in this folder. If that file is missing or empty, the bot does not start,
so that no lost database goes unnoticed. Delete this file to begin with an empty database.
"""

_INCOMPLETE = """
SELECT id FROM matches
WHERE (finished_at IS NULL OR id > (SELECT max(id) FROM matches) - 1000)
AND (plies <> (SELECT count(*) FROM plies WHERE match_id = id)
    OR plies <> (SELECT coalesce(max(ply) + 1, 0) FROM plies WHERE match_id = id))
ORDER BY id DESC LIMIT 1
"""
"""Finds a running or recent match that lacks moves: those are lost first if a file is mixed with the log of another."""


def companion(path: Path, ending: str) -> Path:
    """Return the file beside a database whose name has this ending."""
    return path.with_name(path.name + ending)


def is_database(file: Path, path: Path) -> bool:
    """Return True if `file` leads to the database at `path`, by whatever name."""
    return file.exists() and path.exists() and file.samefile(path)


def in_use(path: Path) -> bool:
    """Return True if a file is a database that a bot has served, or one of the files beside such a database."""
    if any(companion(path, ending).exists() for ending in COMPANIONS):
        return True
    ends = [ending for ending in COMPANIONS if path.name.endswith(ending)]
    return any(path.with_name(path.name.removesuffix(ending)).exists() for ending in ends)


def unfinished(path: Path) -> list[Path]:
    """Return the files that a killed restore of this database left."""
    return _siblings(path, f".{path.name}.", ".part")


def undo_exchange(path: Path) -> None:
    """Undo an exchange of the database that was cut off: remove the second name that the old file has already.

    The caller holds the lock of the database.
    """
    for aside in _second_names(path):
        for ending in (WAL, JOURNAL):
            if companion(aside, ending).exists() and not companion(path, ending).exists():
                companion(aside, ending).rename(companion(path, ending))
        aside.unlink()
        log.warning("restore.undone", removed=str(aside))


def mark(path: Path) -> None:
    """Note that a database is kept at this path."""
    note = companion(path, MARK)
    if not note.exists():
        note.write_text(_MARKED.format(name=path.name))


def check_alone(path: Path) -> None:
    """Check without reading the content that a database is one file, and that its log is its own.

    Raises StoreUnavailable. Nothing is written: SQLite would write a log of another file into this one.
    """
    if path.is_file() and path.stat().st_nlink > 1 + len(_second_names(path)):  # folders have several links
        raise StoreUnavailable(
            f"{path} has a second name (a hard link), under which another program could write it unnoticed: "
            "remove that link, or make it a copy."
        )
    ahead = companion(path, WAL)
    if ahead.exists() and ahead.stat().st_size and _header(path)[18:20] != _WRITTEN_AHEAD:
        raise StoreUnavailable(
            f"{path} was replaced while {ahead.name} of the file before it was still there: move both away and give "
            "python -m bot restore a backup, or move only the latter away to go on with this file."
        )


def _header(path: Path) -> bytes:
    """Return the first bytes of a database, read by another process. Raises StoreUnavailable.

    A process that closes a file gives up every lock that it holds on it, and those of SQLite would be among them: a bot
    that ends would then delete the log that connections of this process go on to read and write.
    """
    script = f"import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read({_HEADER}))"
    command = [sys.executable, "-I", "-S", "-c", script, str(path)]
    found = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - the program is this Python
    if found.returncode:
        raise StoreUnavailable(f"{path} cannot be read: make it readable for the user that runs the bot.")
    return found.stdout


def check_start(path: Path) -> None:
    """Check a database before the bot opens it, for some seconds at most. Raises StoreUnavailable.

    It is not missing where one was kept, it is one file with its own log, its tables are there, running and recent
    matches have all their moves, its pages are whole, and no row refers to a missing one.
    """
    if not path.exists():
        _check_new(path)
        return
    if not os.access(path, os.W_OK):
        # SQLite would open it all the same, and refuse only what is to be stored.
        raise StoreUnavailable(
            f"{path} is read-only: make it and its folder writable for the user that runs the bot."
        )
    check_alone(path)
    if left := unfinished(path):
        log.warning("restore.interrupted", left=[str(it) for it in left])
    # A connection that may not write leaves the files of a damaged database as they are.
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        _check_content(path, connection)


def _check_new(path: Path) -> None:
    kept = [companion(path, ending) for ending in (MARK, WAL)]
    found = [it for it in (*kept, *_siblings(path, f"{path.name}{ASIDE}"), *unfinished(path)) if it.exists()]
    if found:
        names = ", ".join(it.name for it in found)
        raise StoreUnavailable(
            f"{path} is missing, and games have been kept there: put it back, or give python -m bot restore a backup; "
            f"to begin with an empty database, move these files away: {names}."
        )


def _check_content(path: Path, connection: sqlite3.Connection) -> None:
    until = monotonic() + CHECK_S
    connection.set_progress_handler(lambda: monotonic() > until, _STEPS)
    try:
        tables = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        if "alembic_version" not in tables:
            _check_empty(path)
            return
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or (None,)
        expected = set(Base.metadata.tables) if revision == newest() else {"matches", "plies"}
        if missing := sorted(expected - tables):
            raise _damaged(path, f"its table {missing[0]} is missing")
        if match := connection.execute(_INCOMPLETE).fetchone():
            raise _damaged(path, f"moves of game {match[0]} are missing")
        for (said,) in connection.execute("PRAGMA quick_check(1)"):
            if said != "ok":
                raise _damaged(path, str(said).replace("\n", " ").rstrip("."))
        for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"):
            raise _damaged(path, f"a row of its table {table} refers to a missing row of {parent}")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        log.warning(
            "database.check_cut_short", seconds=CHECK_S, remedy="python -m bot check reads everything"
        )


def _check_empty(path: Path) -> None:
    if companion(path, MARK).exists():
        raise StoreUnavailable(
            f"{path} is empty, and games have been kept there: give python -m bot restore a backup; to begin with an "
            f"empty database, delete {companion(path, MARK).name}."
        )


def _damaged(path: Path, what: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"{path} is damaged ({what}): give python -m bot restore a backup from before the damage."
    )


def _second_names(path: Path) -> list[Path]:
    """Return the names that a killed restore gave to the database before it would have replaced it."""
    if not path.exists():
        return []
    return [it for it in _siblings(path, f"{path.name}{ASIDE}") if it.samefile(path)]


def _siblings(path: Path, start: str, within: str = "") -> list[Path]:
    if not path.parent.is_dir():
        return []
    return sorted(it for it in path.parent.iterdir() if it.name.startswith(start) and within in it.name)
