"""Items of background rounds that failed: each is retried later, and set aside if it keeps failing."""

from dataclasses import dataclass
from datetime import datetime


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
