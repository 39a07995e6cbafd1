"""Announcements of results: matches that have ended, or lost their result, and wait to be announced in their server."""

from datetime import datetime
from typing import Protocol


class AnnouncementStore(Protocol):
    """The matches that wait for an announcement."""

    async def unannounced(self) -> list[int]:
        """Return the ids of the matches that wait for an announcement, the longest wait first."""

    async def unannounced_since(self, match: int) -> datetime | None:
        """Return since when a match waits for an announcement; None if it does not."""

    async def announced(self, match: int, since: datetime) -> None:
        """Record that a match was announced as it was at `since`. Anything that happened later still waits."""
