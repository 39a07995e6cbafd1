"""The store of the world in one SQLite file, which is written at every change."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (id TEXT PRIMARY KEY, body BLOB NOT NULL);
"""


class StoreError(Exception):
    """The file cannot be used. The message is one sentence with the reason."""


class Store:
    """A store of JSON documents by kind and id, and of the bytes of uploaded files.

    A change survives the end of the process after its call, or the enclosing `transaction`, has ended.
    """

    def __init__(self, path: Path | None = None) -> None:
        try:
            self._db = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=1)
            # One process owns the file. NORMAL in WAL mode is safe from any end of the process, not of the machine.
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(SCHEMA)
        except sqlite3.Error as error:
            reason = "another one is using it" if "locked" in str(error) else str(error)
            raise StoreError(f"{path} cannot hold the local Discord: {reason}.") from error

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Store all changes inside together or not at all. Transactions may be nested."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def all(self, kind: str) -> Iterator[tuple[str, Any]]:
        """Yield the ids and bodies of a kind, ordered by the ids as numbers."""
        rows = self._db.execute("SELECT id, body FROM documents WHERE kind = ?", (kind,)).fetchall()
        for id_, body in sorted(rows, key=lambda row: (len(row[0]), row[0])):
            yield id_, json.loads(body)

    def get(self, kind: str, id_: str) -> Any:
        """Return the body of a document, or None."""
        row = self._db.execute("SELECT body FROM documents WHERE kind = ? AND id = ?", (kind, id_)).fetchone()
        return None if row is None else json.loads(row[0])

    def save(self, kind: str, id_: str, body: Any) -> None:
        self._db.execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?)", (kind, id_, json.dumps(body)))

    def delete(self, kind: str, id_: str) -> None:
        self._db.execute("DELETE FROM documents WHERE kind = ? AND id = ?", (kind, id_))

    def last_id(self) -> int:
        """Return the highest id in use, or 0 in a new file."""
        rows = self._db.execute("SELECT id FROM documents UNION SELECT id FROM files").fetchall()
        return max((int(id_) for (id_,) in rows if id_.isdecimal()), default=0)

    def save_file(self, id_: str, body: bytes) -> None:
        self._db.execute("INSERT OR REPLACE INTO files VALUES (?, ?)", (id_, body))

    def file(self, id_: str) -> bytes | None:
        row = self._db.execute("SELECT body FROM files WHERE id = ?", (id_,)).fetchone()
        return None if row is None else bytes(row[0])

    def delete_file(self, id_: str) -> None:
        self._db.execute("DELETE FROM files WHERE id = ?", (id_,))

    def rebase(self, old: str, new: str) -> None:
        """Replace the prefix `old` of stored addresses by `new`, because a new process may have another port."""
        self._db.execute("UPDATE documents SET body = replace(body, ?, ?)", (old, new))
