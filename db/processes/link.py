"""This process among those that serve a database.

Discord sends an interaction to every session of its shard. If two processes served one shard, both would act on each
interaction, and only one could answer. So a process serves a shard only while it holds the lock of that shard. Locks
are held by one connection, and are free again when the process ends in any way, even killed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from db.processes.notifications import Notification


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
    """Called with what other processes tell, and with what this process tells itself."""

    async def join(self) -> bool:
        """Connect, and become one of the processes. False if the database cannot be reached, or if a process must have
        it alone. Raises nothing."""

    @property
    def joined(self) -> bool:
        """True from `join` until the connection is lost."""

    @property
    def unreachable(self) -> bool:
        """True if the last `join` got no answer, so that other processes may be reached by a database that this one
        does not reach. False if the database itself does not run."""

    async def agree(self, count: int) -> int:
        """Return the number of shards that all processes agree on: that of those that serve already, else `count`."""

    async def share(self) -> None:
        """Share the shards with the other processes that do so, from now on."""

    async def end_sharing(self) -> None:
        """Stop to share: the others share all shards among themselves."""

    async def look(self) -> Look:
        """Return who serves what."""

    async def take(self, shard: int) -> bool:
        """Take a shard unless another process has it. True if this process has it now."""

    async def give(self, shard: int) -> None:
        """Give a shard back, and tell the others that it is free."""

    async def take_turn(self, remainder: int) -> bool:
        """Take the turn to log in of a remainder unless another process has it. Raises nothing."""

    async def end_turn(self, remainder: int) -> None:
        """Give the turn back. Raises nothing."""

    async def leave(self) -> None:
        """Give everything back, and disconnect. Raises nothing."""
