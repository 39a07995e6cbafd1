"""Failures of the database at the start and while the bot runs, and items of background tasks that failed."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime


class StoreUnavailable(Exception):
    """The database cannot be used. Its text is one sentence for the operator, without a password."""


class StoreFailed(Exception):
    """The database does not answer, or takes nothing: it is stopped, cut off, locked, full or read-only.

    The transaction stored nothing, unless `commit_unknown`: then the answer to its commit is missing.
    """

    def __init__(self, cause: str, *, commit_unknown: bool = False) -> None:
        super().__init__(f"the database failed ({cause})")
        self.cause = cause
        self.commit_unknown = commit_unknown


class Stored:
    """A flag that is True once anything was stored. `before` is awaited before each transaction that stores."""

    def __init__(self, before: Callable[[], Awaitable[None]] | None) -> None:
        self.before = before
        self._anything = False

    def __bool__(self) -> bool:
        return self._anything

    def note(self) -> None:
        """Note that something was stored."""
        self._anything = True


_stored: ContextVar[Stored | None] = ContextVar("stored", default=None)


@contextmanager
def watching(before: Callable[[], Awaitable[None]] | None = None) -> Iterator[Stored]:
    """Yield what becomes true once anything is stored in this context; see `Stored`."""
    stored = Stored(before)
    token = _stored.set(stored)
    try:
        yield stored
    finally:
        _stored.reset(token)


async def about_to_store() -> None:
    """Await what has to come before anything is stored in this context. Raises its errors."""
    stored = _stored.get()
    if stored is not None and stored.before is not None:
        await stored.before()


def note_stored() -> None:
    """Note for those who watch that a transaction was committed."""
    if (stored := _stored.get()) is not None:
        stored.note()


@dataclass(frozen=True, slots=True)
class FailedItem:
    """An item, such as the id of a match, that a background task could not process."""

    task: str
    item: str
    error: str
    """The type of the last error and the line of code that raised it. Never its text, which may quote a hidden move."""
    times: int
    """Number of attempts that failed, at least 1."""
    since: datetime
    """Time of the first failure."""
    retry_at: datetime | None
    """Time of the next attempt; None if the item is set aside."""
