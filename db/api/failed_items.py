"""Items of background rounds that failed: each is retried later, and set aside if it keeps failing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


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


class FailedItemStore(Protocol):
    """The failed items of all background tasks."""

    async def failed_items(self, limit: int) -> Sequence[FailedItem]:
        """Return failed items, ordered by task and time of the first failure; at most `limit`."""

    async def keep_failed_item(self, failed: FailedItem) -> None:
        """Store a failed item, or replace it if it is stored already."""

    async def forget_failed_items(
        self, task: str | None = None, item: str | None = None, *, due_before: datetime | None = None
    ) -> int:
        """Delete failed items: one, all of a task, or all. Return their number.

        With `due_before`, delete only those whose next attempt was due earlier.
        """
