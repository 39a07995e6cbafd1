"""A look at the database, which shows that it answers and what waits in it."""

import asyncio
from datetime import UTC, datetime, timedelta
from time import monotonic

from db.stores.administration import AdministrationStore
from db.values.administration import Backlog

PATIENCE = 2.0
"""Seconds that the database has to answer. Orchestrators wait for one second or a few."""
FRESH = 1.0
"""Seconds for which an answer is not asked for again."""
LATELY = timedelta(hours=1)


class DatabaseProbe:
    """Looks at the database when somebody asks. At most one question is under way, however long it takes."""

    def __init__(self) -> None:
        self.store: AdministrationStore | None = None
        self.backlog: Backlog | None = None
        """The last answer; None if there was none in time."""
        self._asking: asyncio.Task[Backlog] | None = None
        self._failing = "was not asked yet"
        self._answered_at = -FRESH

    @property
    def trouble(self) -> str | None:
        """The sentence that says why the database is not ready, as it was at the last look; None if it is."""
        if self.store is None:
            return "The database is not open yet."
        return None if self.backlog is not None else f"The database {self._failing}."

    async def look(self) -> None:
        """Ask the database, and wait for its answer for a moment."""
        if self.store is None or monotonic() - self._answered_at < FRESH:
            return
        if self._asking is None:
            self._asking = asyncio.create_task(self.store.backlog(datetime.now(UTC) - LATELY))
        asking = self._asking
        await asyncio.wait((asking,), timeout=PATIENCE)
        self.backlog = None
        if not asking.done():
            self._failing = "does not answer"
            return
        self._asking = None
        if asking.cancelled() or (error := asking.exception()) is not None:
            self._failing = (
                "has gone" if asking.cancelled() else f"refuses to answer ({type(error).__name__})"
            )
        else:
            self.backlog, self._answered_at = asking.result(), monotonic()

    async def close(self) -> None:
        """Ask no more."""
        self.store = None
        if self._asking is not None:
            self._asking.cancel()
            done, _ = await asyncio.wait((self._asking,), timeout=PATIENCE)
            for asking in done:
                asking.cancelled() or asking.exception()  # asked for here: nobody else does
