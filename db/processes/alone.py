"""The link of a process that has a SQLite file alone: it serves every shard."""

import fcntl
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from db.address import File
from db.processes.link import Look
from db.processes.notifications import Notification
from db.sqlite_files import LOCK, companion, undo_exchange
from db.startup_errors import explained


class AloneLink:
    """A lock on a file beside the database; the system releases it with the process."""

    joined = False
    unreachable = False

    def __init__(self, database: Path) -> None:
        """`database` is the path without symbolic links (db.address): every other name leads to the same lock."""
        self._database = database
        self._held: BinaryIO | None = None
        self._shards: set[int] = set()
        self.lost: Callable[[], None] = lambda: None
        self.on_notification: Callable[[Notification], None] = lambda _: None

    async def join(self) -> bool:
        """Lock the database unless another process has it. Its folder is created. Raises StoreUnavailable."""
        if self._held is None:
            with explained(File(self._database)):
                self._database.parent.mkdir(parents=True, exist_ok=True)
                file = companion(self._database, LOCK).open("ab")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                return False
            self._held = file
            with explained(File(self._database)):
                undo_exchange(self._database)
        self.joined = True
        return True

    async def agree(self, count: int) -> int:
        return count

    async def share(self) -> None:
        """There is nobody to share with."""

    async def end_sharing(self) -> None:
        """There is nobody to share with."""

    async def look(self) -> Look:
        return Look(frozenset(self._shards), {}, alone=True)

    async def take(self, shard: int) -> bool:
        self._shards.add(shard)
        return True

    async def give(self, shard: int) -> None:
        self._shards.discard(shard)

    async def take_turn(self, remainder: int) -> bool:
        return True

    async def end_turn(self, remainder: int) -> None:
        """Nobody waits for it."""

    async def leave(self) -> None:
        if self._held is not None:
            self._held.close()
        self._held, self.joined = None, False
