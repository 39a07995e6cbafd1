"""The shards of this process: their manager takes and gives up shards, and runs a client for each."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import structlog

from bot.pencilbox import Pencilbox
from db.processes.link import Link, LinkLost, Look
from db.processes.notifications import Notification, Subject
from db.values.failures import StoreUnavailable
from db.values.shards import Shards

SETTLED = 3.0
"""Seconds for which a shard must be free before another process than its last takes it.

A process whose connection was cut takes its own shards again within this time, and one that cannot has ended them.
"""
PATIENT = 15.0
"""Seconds after which a free shard is taken even by a process that has more shards than others: they do not take it."""


@dataclass(slots=True)
class Shares:
    """Decides about `count` shards, or only about those that a setting gives to this process (`fixed`)."""

    count: int
    fixed: Collection[int] | None = None
    _free_since: dict[int, float] = field(default_factory=dict)
    _begun: bool = False

    def freed(self, shard: int, now: float) -> None:
        """Note that a process has given up a shard in order, so that it may be taken at once."""
        self._free_since[shard] = now - SETTLED

    def to_take(self, look: Look, mine: Collection[int], now: float) -> list[int]:
        """Return the shards to try to take now, in this order; all that succeed are taken if they are several.

        One at a time where processes share, so that each gets some.
        """
        free = [shard for shard in range(self.count) if shard not in look.taken]
        self._free_since = {shard: self._free_since.get(shard, now) for shard in free}
        first, self._begun = not self._begun, True
        settled = [shard for shard in free if now - self._free_since[shard] >= SETTLED]
        if self.fixed is not None:
            return [shard for shard in (free if first else settled) if shard in self.fixed]
        if first and look.alone:
            return free
        if not look.others:
            return settled
        if len(mine) <= min(map(len, look.others.values())):
            return settled[:1]
        return [shard for shard in settled if now - self._free_since[shard] >= PATIENT][:1]

    def to_give(self, look: Look, mine: Collection[int]) -> int | None:
        """Return the shard to give up now, so that a process that has fewer can take it; None if there is none.

        The last of several, since the first carries more than the others.
        """
        if self.fixed is not None or len(look.taken) < self.count:
            return None
        fewest = min(map(len, look.others.values()), default=len(mine))
        return max(mine) if len(mine) >= fewest + 2 else None


log = structlog.get_logger()

LOOK = 2.0
"""Seconds between two looks at what other processes serve."""
RETAKE = 4.0
"""Seconds after which the clients of shards are ended whose locks are lost, if others may have taken them."""

Run = Callable[[int], Coroutine[Any, Any, None]]
"""Keeps the client of a shard connected until it is cancelled."""


class ShardManager:
    """Manages this process's shards of `count`. It serves none while it has lost the link to the other processes."""

    def __init__(self, bot: Pencilbox, link: Link, shares: Shares, run: Run) -> None:
        self._bot = bot
        self._link = link
        self._shares = shares
        self._run = run
        self._running: dict[int, asyncio.Task[None]] = {}
        self.alone = True
        """False if other processes served this database at the last look."""
        self._waits = False
        self._lost_at: float | None = None
        self._looking = asyncio.Event()
        self._stopping = False
        link.lost = self._lose

    @property
    def shards(self) -> frozenset[int]:
        """The shards that this process has clients for."""
        return frozenset(self._running)

    async def keep(self) -> None:
        """Keep shards until `stop` is called. Raises ConfigError and StoreUnavailable where the operator has to act."""
        try:
            with suppress(LinkLost):
                await self._link.share()
            while True:
                self._looking.clear()
                with suppress(LinkLost):
                    await self._round()
                for running in self._running.values():
                    if running.done():
                        await running  # it raises
                if self._stopping:
                    break
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK):
                        await self._looking.wait()
        finally:
            await self._end()

    def stop(self) -> None:
        """Let `keep` give up all shards and end. Cancelled instead, it might swallow that (see bot.shards.serve)."""
        self._stopping = True
        self._looking.set()

    def receive(self, notification: Notification) -> None:
        """Act on a notification of another process. When a shard is free, look at once."""
        self._bot.receive(notification)
        if notification.subject is Subject.FREE:
            self._shares.freed(notification.id, self._now())
            self._looking.set()

    async def _round(self) -> None:
        if not self._link.joined:
            await self._join_again()
            return
        look = await self._link.look()
        self.alone = look.alone
        if not self._running and not self._waits and len(look.taken) == self._shares.count:
            self._waits = self._bot.stands_by = True
            log.info("other processes serve all shards; this one waits for one")
        for shard in self._shares.to_take(look, self._running, self._now()):
            if await self._link.take(shard):
                log.info("serves a shard now", shard=shard, of=self._shares.count)
                self._begin(shard)
                self._own()
                self._looking.set()  # there may be more
        given = self._shares.to_give(look, self._running)
        if given is not None:
            log.info("gives up a shard for another process", shard=given)
            await self._stop(given)
            await self._link.give(given)

    async def _join_again(self) -> None:
        """Join the others again, and go on with the shards that nobody has taken meanwhile."""
        if not await self._link.join():
            if self._might_be_served_elsewhere():
                await self._stop_all()
            return
        if await self._link.agree(self._shares.count) != self._shares.count:
            raise StoreUnavailable(
                "Other processes serve this database with another number of shards now, so this one ends."
            )
        await self._link.share()
        log.info("joined the other processes again")
        for shard in sorted(self._running):
            if not await self._link.take(shard):
                log.warning("another process serves this shard now", shard=shard)
                await self._stop(shard)
        self._lost_at = None
        self._bot.services.store.matches.forget(lambda _: True)
        self._own()

    def _lose(self) -> None:
        """Begin nothing more: the locks are lost, and other processes may take them."""
        log.warning("the connection that holds this process's shards is lost", shards=sorted(self._running))
        self._lost_at = self._now()
        self._bot.own(Shards.some(self._shares.count, ()))
        self._looking.set()

    def _might_be_served_elsewhere(self) -> bool:
        """True if others may serve the shards that this process has lost.

        They cannot while the database does not run. A process that was alone stays: members hear from it what is wrong.
        """
        lost = self._lost_at is not None and self._now() - self._lost_at >= RETAKE
        return lost and not self.alone and self._link.unreachable

    def _begin(self, shard: int) -> None:
        running = self._running[shard] = asyncio.create_task(self._run(shard))
        running.add_done_callback(lambda _: self._looking.set())

    async def _stop_all(self) -> None:
        await asyncio.gather(*(self._stop(shard) for shard in list(self._running)))

    async def _stop(self, shard: int) -> None:
        """End the client of a shard, after the answers that are under way."""
        running = self._running.pop(shard)
        self._own()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    async def _end(self) -> None:
        """End all clients and give up all shards, so that other processes take them at once."""
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
