"""Background rounds over many items, in which a failing item affects only itself."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from time import monotonic
from typing import TypeVar

import structlog

from bot.app.errors import Refused
from bot.app.system import Clock
from bot.app.tasks.background import where_raised
from db.api.failed_items import FailedItem, FailedItemStore
from db.api.failures import StoreFailed

log = structlog.get_logger()

Item = TypeVar("Item")

FIRST_DELAY, LONGEST_DELAY = timedelta(seconds=15), timedelta(hours=1)
"""Delay of the second attempt, which doubles with each further failure, and its limit."""
LONGEST_OUTAGE_DELAY = timedelta(minutes=5)
"""Limit of the delay after errors that concern no single item, such as a database that does not respond."""
SET_ASIDE_AFTER = timedelta(days=1)
"""Time from the first failure after which an item is no longer retried."""
ROUND_S = 10.0
"""Seconds after which a round leaves its remaining items to the next one."""
ITEM_S = 120.0
"""Seconds after which an item counts as failed."""
OUTAGE = 3
"""Number of consecutive outages after which a round ends: the remaining items would fail in the same way."""
RELOAD_AFTER = timedelta(minutes=1)
"""Time after which the failed items are read again: an operator may have requested a retry."""
MOST = 10_000
"""Largest number of failed items that are read."""


class TryLater(Exception):
    """An item cannot be processed now for a reason outside of it, such as a Discord that does not respond."""


class Rounds:
    """Processes the items of background rounds, one after the other, and retries those that fail.

    Failed items are stored, so that delays outlive the process and `python -m bot failures` can list them. If storing
    fails too, they are kept in memory.
    """

    def __init__(
        self, store: FailedItemStore, clock: Clock, *, stopwatch: Callable[[], float] = monotonic
    ) -> None:
        self._store = store
        self._clock = clock
        self._stopwatch = stopwatch
        self._failed: dict[tuple[str, str], FailedItem] = {}
        self._read_at: datetime | None = None
        self.failures: Counter[str] = Counter()
        """By task: number of failed attempts since the start."""

    async def each(
        self,
        task: str,
        items: Iterable[Item],
        process: Callable[[Item], Awaitable[object]],
        *,
        key: Callable[[Item], object] = str,
    ) -> None:
        """Process each item that is not waiting for a retry. `key` identifies an item in the log and in the store.

        An exception affects only the item that raised it. Raises TryLater or StoreFailed if several consecutive items
        fail because of an outage.
        """
        began, outages = self._stopwatch(), 0
        await self._read()
        for item in items:
            name = str(key(item))
            if self.waits(task, name):
                continue
            if self._stopwatch() - began > ROUND_S:
                return
            try:
                async with asyncio.timeout(ITEM_S):
                    await process(item)
            except Exception as error:
                await self._note_failure(task, name, error)
                outages = outages + 1 if isinstance(error, (StoreFailed, TryLater)) else 0
                if outages == OUTAGE:
                    raise
            else:
                outages = 0
                await self._note_success(task, name)
            # Interactions go first.
            await asyncio.sleep(0)

    def waits(self, task: str, item: str) -> bool:
        """Return True if an item failed and is not to be retried yet."""
        failed = self._failed.get((task, item))
        return failed is not None and (failed.retry_at is None or failed.retry_at > self._clock.now())

    def waiting(self, task: str) -> Collection[str]:
        """Return the items of a task that are not to be retried yet, for queries with a limit to exclude."""
        return [item for of, item in self._failed if of == task and self.waits(of, item)]

    async def retry(self, task: str, items: Iterable[str]) -> None:
        """Retry failed items in the next round: what they failed for has changed."""
        for item in items:
            if self._failed.pop((task, item), None) is not None:
                await self._store.forget_failed_items(task, item)

    async def _read(self) -> None:
        now = self._clock.now()
        if self._read_at is None or not timedelta() <= now - self._read_at < RELOAD_AFTER:
            found = await self._store.failed_items(MOST)
            self._failed = {(it.task, it.item): it for it in found}
            self._read_at = now

    async def _note_failure(self, task: str, item: str, error: Exception) -> None:
        now, where = self._clock.now(), where_raised(error)
        before = self._failed.get((task, item)) or FailedItem(task, item, "", 0, now, now)
        outage = isinstance(error, (StoreFailed, TryLater))
        longest = LONGEST_OUTAGE_DELAY if outage else LONGEST_DELAY
        delay = min(longest, FIRST_DELAY * 2 ** min(before.times, 20))
        # What is refused is allowed as soon as somebody grants a permission.
        lasting = outage or isinstance(error, Refused)
        retry_at = None if not lasting and now - before.since >= SET_ASIDE_AFTER else now + delay
        kind = type(error).__name__
        failed = replace(before, error=f"{kind} at {where}", times=before.times + 1, retry_at=retry_at)
        self._failed[task, item] = failed
        self.failures[task] += 1
        fields = {"task": task, "item": item, "error": kind, "at": where}
        if failed.retry_at is None:
            log.error("item.set_aside", **fields, times=failed.times)
        elif failed.times == 1:
            log.error("item.failed", **fields, retry_in=delay.total_seconds())
        try:
            await self._store.keep_failed_item(failed)
        except StoreFailed as failure:
            log.warning("item.failure_not_stored", task=task, item=item, error=failure.cause)

    async def _note_success(self, task: str, item: str) -> None:
        if (failed := self._failed.pop((task, item), None)) is not None:
            log.info("item.recovered", task=task, item=item, times=failed.times)
            await self._store.forget_failed_items(task, item)
