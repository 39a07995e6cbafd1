"""The link of a process to the others that serve its database, and the link that has a SQLite file alone."""

import fcntl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from db.address import File
from db.processes.notifications import Notification
from db.sqlite_files import LOCK, companion, undo_exchange
from db.startup_errors import explained


class LinkLost(Exception):
    """The connection to the other processes is lost, and with it every lock. `join` makes it again."""


@dataclass(frozen=True, slots=True)
class Look:
    """The shards that are served at the moment: `others`, by process, are those who share with this one."""

    taken: frozenset[int]
    others: Mapping[int, frozenset[int]]
    alone: bool
    """True if no other process serves this database at all, with shards or without."""


class Link(Protocol):
    """The link of this process to the others. Methods raise LinkLost, except those that say otherwise."""

    lost: Callable[[], None]
    """Called at once when the connection is lost; nothing is called before `join`."""
    on_notification: Callable[[Notification], None]
    """Called with the notifications of all processes, this one included."""

    async def join(self) -> bool:
        """Connect to the other processes. Raises nothing.

        Return False if the database cannot be reached, or if a process has it alone.
        """

    @property
    def joined(self) -> bool:
        """Return True if this process has joined and its connection was not lost since."""

    @property
    def unreachable(self) -> bool:
        """Return True if the last `join` got no answer. Other processes may then still reach the database.

        False if the database itself does not run.
        """

    async def agree(self, count: int) -> int:
        """Return the shard count of the running processes, or `count` if this is the first process."""

    async def share(self) -> None:
        """Begin to share the shards with the other processes."""

    async def end_sharing(self) -> None:
        """Stop sharing: the other processes share all shards among themselves."""

    async def look(self) -> Look:
        """Return which process serves which shards."""

    async def take(self, shard: int) -> bool:
        """Take a shard unless another process has it. Return True if this process has it now."""

    async def give(self, shard: int) -> None:
        """Give a shard back, and notify the others that it is free."""

    async def take_turn(self, remainder: int) -> bool:
        """Take the turn to log in for a remainder unless another process has it. Raises nothing."""

    async def end_turn(self, remainder: int) -> None:
        """Give the turn back. Raises nothing."""

    async def leave(self) -> None:
        """Give everything back, and disconnect. Raises nothing."""


class AloneLink:
    """A lock on a file beside the database; the system releases it with the process."""

    joined = False
    unreachable = False

    def __init__(self, database: Path) -> None:
        """Take the path of the database without symbolic links (db.address), so that every name has the same lock."""
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
        """Do nothing: no other process can join."""

    async def end_sharing(self) -> None:
        """Do nothing: no other process can join."""

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
        """Do nothing: no other process waits."""

    async def leave(self) -> None:
        if self._held is not None:
            self._held.close()
        self._held, self.joined = None, False
