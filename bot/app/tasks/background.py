"""Background tasks, the request ids of their log lines, locks by key, and waiting for an event."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from contextvars import Context
from pathlib import Path
from time import monotonic
from traceback import extract_tb
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

import structlog
from structlog.contextvars import bind_contextvars, get_contextvars

Key = TypeVar("Key", bound=Hashable)


class Locks(Generic[Key]):
    """A lock for each key, such as the id of a match. It is forgotten once no task holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: Key) -> asyncio.Lock:
        return self._locks.setdefault(key, asyncio.Lock())

    def __len__(self) -> int:
        return len(self._locks)

    async def released(self) -> None:
        """Wait until all locks that are held now have been released."""
        for lock in [*self._locks.values()]:
            async with lock:
                pass


async def set_within(event: asyncio.Event, seconds: float) -> bool:
    """Wait until an event is set, `seconds` at most. Return True if it is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


_KEY = "request"
_ROUND = "-"
"""Stands before the number of a round; the id of an interaction has none."""


def begin_request(request: str) -> None:
    """Let all log lines of the current task carry this id, and those of threads and tasks that it starts."""
    bind_contextvars(**{_KEY: request})


def begin_round(task: str, number: int) -> None:
    """Let all log lines of the current task carry the id of a round of a background task, such as `posts-12`."""
    begin_request(f"{task}{_ROUND}{number}")


def is_round(request: str) -> bool:
    """Return True if this is the id of a round of a background task, and not of an interaction."""
    return _ROUND in request


def current_request() -> str | None:
    """Return the id that log lines carry here, or None."""
    return get_contextvars().get(_KEY)


def own_context() -> Context:
    """Return a context for a task that outlives what started it: of that it keeps the request id alone."""
    context, request = Context(), current_request()
    if request is not None:
        context.run(begin_request, request)
    return context


log = structlog.get_logger()

ROOT = Path(__file__).parents[3]

SHORTEST, LONGEST = 1.0, 60.0
"""Seconds of the pause after a round that failed: the shortest first, twice as long after each further one."""
QUIET = 60.0
"""Seconds for which an error of a kind that was logged is only counted."""


class BackgroundTask:
    """A task that repeats `work`, which returns the seconds until its next call.

    After an error it pauses, longer each time, up to a minute. Errors of one kind are logged once a minute, with their
    number since; never their texts, which may quote hidden moves. `failures` counts all of them, `rounds` all rounds.

    The log lines of a round carry its request id, such as `posts-12`.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], Awaitable[float]],
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.name = name
        self.rounds = self.failures = 0
        self._work = work
        self._sleep, self._now = sleep, now
        self._unlogged: Counter[str] = Counter()
        self._quiet_until: dict[str, float] = {}

    async def run(self) -> None:
        """Run until cancelled."""
        pause = SHORTEST
        while True:
            self.rounds += 1
            begin_round(self.name, self.rounds)
            try:
                wait = await self._work()
            except Exception as error:
                self._count(error, pause)
                wait, pause = pause, min(2 * pause, LONGEST)
            else:
                pause = SHORTEST
            await self._sleep(wait)

    def _count(self, error: Exception, pause: float) -> None:
        kind = type(error).__name__
        self.failures += 1
        self._unlogged[kind] += 1
        if self._now() >= self._quiet_until.get(kind, 0.0):
            log.error(
                "background_task.failed",
                task=self.name,
                error=kind,
                at=where_raised(error),
                times=self._unlogged.pop(kind),
                again_in=pause,
            )
            self._quiet_until[kind] = self._now() + QUIET


def where_raised(error: BaseException) -> str:
    """Return the innermost line of the project's code that raised an error or passed it on: `bot/client.py:120`."""
    ours = [
        f"{Path(frame.filename).relative_to(ROOT)}:{frame.lineno}"
        for frame in extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(ROOT) and "site-packages" not in frame.filename
    ]
    return ours[-1] if ours else "unknown"
