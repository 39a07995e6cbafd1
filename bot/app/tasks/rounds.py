"""Background rounds over many items, in which a failing item affects only itself."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from time import monotonic
from typing import TypeVar

import structlog

from bot.app.errors import Refused
from bot.app.system import Clock
from bot.app.tasks.background import where_raised
from db.stores.administration import FailedItemStore
from db.values.failures import FailedItem, StoreFailed

log = structlog.get_logger()

Item = TypeVar("Item")

FIRST_DELAY, LONGEST_DELAY = timedelta(seconds=15), timedelta(hours=1)
"""Delay of the second attempt, which doubles with each further failure, and its limit."""
LONGEST_OUTAGE_DELAY = timedelta(minutes=5)
"""Limit of the delay after errors that concern no single item, such as a database that does not respond."""
SET_ASIDE_AFTER = timedelta(days=1)
"""Time from the first failure after which an item is no longer retried."""
LEAST_ATTEMPTS = 10
"""Number of attempts before an item is set aside: the bot may have been stopped for most of the day."""
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
PAGE = 100
"""Largest number of items, besides those that wait for a retry, that the query of a round returns."""

_IN_OUTAGE = "outage, "
"""Start of the error text of an item that has failed only because of outages."""


class TryLater(Exception):
    """An item cannot be processed now for a reason outside of it, such as a Discord that does not respond.

    Raised from the error that is the reason.
    """


class EndRound(Exception):
    """A limit of the round is reached: this item and those after it are left to the next round."""


class Rounds:
    """Processes the items of background rounds, one after the other, and retries those that fail.

    Failed items are stored, so that delays outlive the process and `python -m bot failures` can list them. If storing
    fails too, they are kept in memory and stored later.
    """

    def __init__(
        self, store: FailedItemStore, clock: Clock, *, stopwatch: Callable[[], float] = monotonic
    ) -> None:
        self._store = store
        self._clock = clock
        self._stopwatch = stopwatch
        self._failed: dict[tuple[str, str], FailedItem] = {}
        self._unstored: set[tuple[str, str]] = set()
        """Items whose entry in `_failed`, or whose absence there, could not be stored."""
        self._storing = asyncio.Lock()
        self._read_at: datetime | None = None
        self.failures: Counter[str] = Counter()
        """By task: number of failed attempts since the start. A task that has run without failures has 0."""

    async def each(
        self,
        task: str,
        items: Iterable[Item],
        process: Callable[[Item], Awaitable[object]],
        *,
        key: Callable[[Item], object] = str,
        seconds: float = ITEM_S,
    ) -> None:
        """Process each item that is not waiting for a retry. `key` identifies an item in the log and in the store.

        An exception affects only the item that raised it, and so does an item that takes longer than `seconds`. Items
        that have failed before come last. Raises TryLater or StoreFailed if several consecutive items fail because of
        an outage.

        The next round must return an item again unless it succeeded, for otherwise it is not retried.
        """
        self.failures[task] += 0
        await self._read()
        named = [(str(key(item)), item) for item in items]
        named.sort(key=lambda it: (task, it[0]) in self._failed)
        began, outages = self._stopwatch(), 0
        for name, item in named:
            if self._waits(task, name):
                continue
            if self._stopwatch() - began > ROUND_S:
                return
            try:
                error = await self.attempt(task, name, process(item), seconds=seconds)
            except EndRound:
                return
            outages = outages + 1 if _is_outage(error) else 0
            if error is not None and outages == OUTAGE:
                raise error
            # Interactions go first.
            await asyncio.sleep(0)

    async def attempt(
        self, task: str, item: object, processing: Awaitable[object], *, seconds: float = ITEM_S
    ) -> BaseException | None:
        """Process one item, and note if it failed. Return the error, or None. Raises EndRound."""
        error = await _error_of(processing, seconds)
        if error is not None:
            await self._note_failure(task, str(item), error)
        elif (task, str(item)) in self._failed:
            await self._note_success(task, str(item))
        return error

    async def due(self, task: str) -> list[str]:
        """Return the items of a task that failed and are to be retried now."""
        await self._read()
        return [item for of, item in self._failed if of == task and not self._waits(of, item)]

    async def waiting(self, task: str) -> list[str]:
        """Return the items of a task that are not to be retried yet."""
        await self._read()
        return [item for of, item in self._failed if of == task and self._waits(of, item)]

    async def limit(self, task: str) -> int:
        """Return the limit for a query of items: some more than those that wait, so that these block no others."""
        return PAGE + len(await self.waiting(task))

    async def retry(self, task: str, items: Iterable[str]) -> None:
        """Retry failed items in the next round: what they failed for has changed."""
        for item in items:
            if (task, item) in self._failed:
                await self._change(task, item, None)

    @property
    def set_aside(self) -> Counter[str]:
        """Return the number of items by task that are no longer retried, including those of other processes."""
        return Counter(task for (task, _), failed in self._failed.items() if failed.retry_at is None)

    def _waits(self, task: str, item: str) -> bool:
        """Return True if an item failed and is not to be retried yet."""
        failed = self._failed.get((task, item))
        if failed is None or failed.retry_at is None:
            return failed is not None
        # A longer delay is impossible: the machine's clock was set back.
        return timedelta() < failed.retry_at - self._clock.now() <= LONGEST_DELAY

    async def _read(self) -> None:
        """Read the failed items from time to time, and store those that could not be stored before."""
        now = self._clock.now()
        if self._read_at is not None and timedelta() <= now - self._read_at < RELOAD_AFTER:
            return
        async with self._storing:
            for key in list(self._unstored):
                await self._store_now(key)
            found = {(it.task, it.item): it for it in await self._store.listed(MOST)}
            abandoned = now - SET_ASIDE_AFTER
            if any(it.retry_at is not None and it.retry_at < abandoned for it in found.values()):
                # Their items no longer exist, or another process has processed them.
                await self._store.forget(due_before=abandoned)
            for key in self._unstored:
                found.pop(key, None)
                if key in self._failed:
                    found[key] = self._failed[key]
            self._failed, self._read_at = found, now

    async def _note_failure(self, task: str, item: str, error: BaseException) -> None:
        self.failures[task] += 1
        failed = self._after(task, item, error)
        if failed.retry_at is None:
            log.error("item.set_aside", task=task, item=item, error=failed.error, times=failed.times)
        elif failed.times == 1:
            delay = failed.retry_at - self._clock.now()
            log.error("item.failed", task=task, item=item, error=failed.error, retry_in=delay.total_seconds())
        await self._change(task, item, failed)

    def _after(self, task: str, item: str, error: BaseException) -> FailedItem:
        """Return an item after a failure. Outages do not count towards the day after which it is set aside."""
        now, outage = self._clock.now(), _is_outage(error)
        reason = (error.__cause__ or error) if isinstance(error, TryLater) else error
        text = f"{_IN_OUTAGE if outage else ''}{type(reason).__name__} at {where_raised(reason)}"
        before = self._failed.get((task, item))
        if before is not None and outage and not before.error.startswith(_IN_OUTAGE):
            return replace(before, retry_at=now + FIRST_DELAY)
        if before is None or before.error.startswith(_IN_OUTAGE) != outage:
            before = FailedItem(task, item, text, 0, now, now)
        times = before.times + 1
        # What is refused is allowed as soon as somebody grants a permission.
        lasting = outage or isinstance(error, Refused)
        if not lasting and times >= LEAST_ATTEMPTS and now - before.since >= SET_ASIDE_AFTER:
            return replace(before, error=text, times=times, retry_at=None)
        longest = LONGEST_OUTAGE_DELAY if outage else LONGEST_DELAY
        delay = min(longest, FIRST_DELAY * 2 ** min(before.times, 20))
        return replace(before, error=text, times=times, retry_at=now + delay)

    async def _note_success(self, task: str, item: str) -> None:
        log.info("item.recovered", task=task, item=item, times=self._failed[task, item].times)
        await self._change(task, item, None)

    async def _change(self, task: str, item: str, failed: FailedItem | None) -> None:
        """Keep and store a failed item; None if it no longer counts as failed."""
        async with self._storing:
            if failed is None:
                self._failed.pop((task, item), None)
            else:
                self._failed[task, item] = failed
            await self._store_now((task, item))

    async def _store_now(self, key: tuple[str, str]) -> None:
        self._unstored.add(key)
        try:
            if (failed := self._failed.get(key)) is None:
                await self._store.forget(*key)
            else:
                await self._store.keep(failed)
        except StoreFailed as failure:
            log.warning("item.not_stored", task=key[0], item=key[1], error=failure.cause)
        else:
            self._unstored.discard(key)


def _is_outage(error: BaseException | None) -> bool:
    return isinstance(error, StoreFailed | TryLater)


async def _error_of(processing: Awaitable[object], seconds: float) -> BaseException | None:
    """Return the error of processing an item, or None if it succeeded. Raises EndRound."""
    try:
        async with asyncio.timeout(seconds):
            await processing
    except asyncio.CancelledError as error:
        current = asyncio.current_task()
        if current is not None and current.cancelling():
            raise
        return error  # something that the item waited for was cancelled
    except EndRound:
        raise
    except Exception as error:
        return error
    return None
