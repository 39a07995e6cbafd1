"""The manager of this process's shards, which acquires and releases shards and runs a client for each."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import structlog

from bot.app.tasks.background import set_within
from bot.pencilbox import Pencilbox
from db.processes.link import Link, LinkLost, Look
from db.processes.notifications import Notification, Subject
from db.values.failures import StoreUnavailable
from db.values.places import Shards

FREE_FOR = 3.0
"""Seconds for which a shard must be free before a process other than its last owner takes the shard.

Within this time a process that has lost its connection takes its shards again, or ends their clients.
"""
UNWANTED_FOR = 15.0
"""Seconds after which a free shard is taken even by a process that already has more shards than others."""


@dataclass(slots=True)
class ShardAssignment:
    """Decides which of `count` shards this process takes and releases, so that all processes get equal numbers.

    `fixed` are the shards that a setting assigns to this process, or None.
    """

    count: int
    fixed: Collection[int] | None = None
    _free_since: dict[int, float] = field(default_factory=dict)
    _released: set[int] = field(default_factory=set)
    _begun: bool = False

    def freed(self, shard: int) -> None:
        """Record that a process has released a shard, which may then be taken at once."""
        self._released.add(shard)

    def shards_to_take(self, look: Look, mine: Collection[int], now: float) -> list[int]:
        """Return the shards to try to take now, in this order.

        If other processes run, the result has at most one shard, so that each process gets some.
        """
        free = [shard for shard in range(self.count) if shard not in look.taken]
        self._free_since = {shard: self._free_since.get(shard, now) for shard in free}
        self._released.intersection_update(free)
        first, self._begun = not self._begun, True
        settled = [
            shard for shard in free if shard in self._released or now - self._free_since[shard] >= FREE_FOR
        ]
        if self.fixed is not None:
            return [shard for shard in (free if first else settled) if shard in self.fixed]
        if first and look.alone:
            return free
        if not look.others:
            return settled
        if len(mine) <= min(map(len, look.others.values())):
            return settled[:1]
        # A process that has fewer shards takes them. If it then loses its connection, it may take them again.
        self._released.clear()
        return [shard for shard in settled if now - self._free_since[shard] >= UNWANTED_FOR][:1]

    def shard_to_give(self, look: Look, mine: Collection[int]) -> int | None:
        """Return the shard to release for a process that has fewer shards, or None.

        The highest number is released, because the first shard has more work than the others.
        """
        if self.fixed is not None or len(look.taken) < self.count:
            return None
        fewest = min(map(len, look.others.values()), default=len(mine))
        return max(mine) if len(mine) >= fewest + 2 else None


log = structlog.get_logger()

LOOK_INTERVAL = 2.0
"""Seconds between two reads of what other processes serve."""
RETAKE_AFTER = 4.0
"""Seconds after losing the locks of shards before their clients end, if other processes may have taken the shards."""

Run = Callable[[int], Coroutine[Any, Any, None]]
"""A function that keeps the client of a shard connected until it is cancelled."""


class ShardManager:
    """Manages this process's shards. It serves none while the connection to the other processes is lost."""

    def __init__(self, bot: Pencilbox, link: Link, assignment: ShardAssignment, run: Run) -> None:
        self._bot = bot
        self._link = link
        self._shares = assignment
        self._run = run
        self._running: dict[int, asyncio.Task[None]] = {}
        self.alone = True
        """False if other processes served this database at the last read."""
        self._waits = False
        self._lost_since: float | None = None
        self._wake = asyncio.Event()
        self._stopping = False
        link.lost = self._on_link_lost

    @property
    def shards(self) -> frozenset[int]:
        """The shards for which this process runs clients."""
        return frozenset(self._running)

    async def keep(self) -> None:
        """Serve shards until `stop` is called. Raises ConfigError and StoreUnavailable if the operator has to act."""
        try:
            with suppress(LinkLost):
                await self._link.share()
            while True:
                self._wake.clear()
                with suppress(LinkLost):
                    await self._round()
                for running in self._running.values():
                    if running.done():
                        await running  # it raises
                if self._stopping:
                    break
                await set_within(self._wake, LOOK_INTERVAL)
        finally:
            await self._end()

    def stop(self) -> None:
        """Make `keep` release all shards and end. A cancellation could be swallowed (see `until_cancelled`)."""
        self._stopping = True
        self._wake.set()

    def receive(self, notification: Notification) -> None:
        """Act on a notification of another process. A shard that becomes free wakes the manager."""
        self._bot.receive(notification)
        if notification.subject is Subject.FREE:
            self._shares.freed(notification.id)
            self._wake.set()

    async def _round(self) -> None:
        if not self._link.joined:
            await self._join_again()
            return
        look = await self._link.look()
        self.alone = look.alone
        if not self._running and not self._waits and len(look.taken) == self._shares.count:
            self._waits = self._bot.stands_by = True
            log.info("shards.all_taken")
        for shard in self._shares.shards_to_take(look, self._running, self._now()):
            if await self._link.take(shard):
                log.info("shard.acquired", shard=shard, of=self._shares.count)
                self._begin(shard)
                self._own()
                self._wake.set()  # more shards may be free
        given = self._shares.shard_to_give(look, self._running)
        if given is not None:
            log.info("shard.released", shard=given)
            await self._stop(given)
            # The next owner would find what is being posted neither recorded nor among the messages.
            await self._bot.finish_posts()
            await self._link.give(given)

    async def _join_again(self) -> None:
        """Connect to the other processes again, and continue with the shards that nobody has taken meanwhile."""
        if not await self._link.join():
            if self._might_be_served_elsewhere():
                await self._stop_all()
            return
        if await self._link.agree(self._shares.count) != self._shares.count:
            raise StoreUnavailable(
                "Other processes serve this database with another number of shards now, so this one ends."
            )
        await self._link.share()
        log.info("processes.rejoined")
        for shard in sorted(self._running):
            if not await self._link.take(shard):
                log.warning("shard.taken_by_another_process", shard=shard)
                await self._stop(shard)
        self._lost_since = None
        self._bot.services.store.matches.forget(lambda _: True)
        self._own()

    def _on_link_lost(self) -> None:
        """Stop all work: the locks are lost, and other processes may take them."""
        log.warning("shard_connection.lost", shards=sorted(self._running))
        self._lost_since = self._now()
        self._bot.own(Shards.some(self._shares.count, ()))
        self._wake.set()

    def _might_be_served_elsewhere(self) -> bool:
        """Return whether other processes may serve the shards whose locks this process has lost.

        They cannot while the database does not run. The clients of the only process stay, to tell members about the
        failure.
        """
        lost = self._lost_since is not None and self._now() - self._lost_since >= RETAKE_AFTER
        return lost and not self.alone and self._link.unreachable

    def _begin(self, shard: int) -> None:
        running = self._running[shard] = asyncio.create_task(self._run(shard))
        running.add_done_callback(lambda _: self._wake.set())

    async def _stop_all(self) -> None:
        await asyncio.gather(*(self._stop(shard) for shard in list(self._running)))

    async def _stop(self, shard: int) -> None:
        """End the client of a shard after its running responses."""
        running = self._running.pop(shard)
        self._own()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    async def _end(self) -> None:
        """End all clients and release all shards, so that other processes take them at once."""
        shards = list(self._running)
        try:
            with suppress(LinkLost):
                await self._link.end_sharing()
        finally:
            await self._stop_all()
        with suppress(LinkLost):
            for shard in shards:
                await self._link.give(shard)

    def _own(self) -> None:
        self._bot.own(Shards.some(self._shares.count, self._running if self._link.joined else ()))

    def _now(self) -> float:
        return asyncio.get_running_loop().time()
