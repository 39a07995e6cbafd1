"""The parts of this process that are monitored, and the check of the database."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING

from bot.search.workers import SearchWorkers
from db.stores.administration import AdministrationStore
from db.values.administration import Backlog

PATIENCE = 2.0
"""Timeout in seconds of a query. Orchestrators wait for one second or a few."""
FRESH = 1.0
"""Seconds for which a result is reused."""
LATELY = timedelta(hours=1)


class DatabaseProbe:
    """Queries the database on request. At most one query runs at a time."""

    def __init__(self) -> None:
        self.store: AdministrationStore | None = None
        self.backlog: Backlog | None = None
        """The last result, or None after a timeout or an error."""
        self._asking: asyncio.Task[Backlog] | None = None
        self._failing = "was not asked yet"
        self._answered_at = -FRESH

    @property
    def problem(self) -> str | None:
        """The reason why the database was not ready at the last query, or None if it was."""
        if self.store is None:
            return "The database is not open yet."
        return None if self.backlog is not None else f"The database {self._failing}."

    async def refresh(self) -> None:
        """Query the database, and wait up to PATIENCE seconds for the result."""
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
        """Cancel the query and start no other."""
        self.store = None
        if self._asking is not None:
            self._asking.cancel()
            done, _ = await asyncio.wait((self._asking,), timeout=PATIENCE)
            for asking in done:
                asking.cancelled() or asking.exception()  # retrieved here, or asyncio would log it


MOST_WAITING = 100
"""Largest number of pending boards with which the bot counts as ready. It posts about ten in a second."""

# A worker does not need the bot, and only one setting needs the queue.
if TYPE_CHECKING:
    from bot.pencilbox import Pencilbox
    from db.jobs.queue import SearchQueue


@dataclass
class Subject:
    """The parts of a process that serves members. They are None until they exist."""

    database: DatabaseProbe
    search: SearchWorkers | None = None
    queue: "SearchQueue | None" = None
    """The queue of searches for workers, or None if there are no workers."""
    bot: "Pencilbox | None" = None

    @property
    def standing_by(self) -> bool:
        """Return True if this process is idle because other processes serve all shards."""
        return self.bot is not None and self.bot.stands_by and not self.bot.services.ownership.owned.numbers

    def shards(self) -> tuple[int, int]:
        """Return the number of shards that this process owns, and the number of those that are connected."""
        if self.bot is None:
            return 0, 0
        ownership = self.bot.services.ownership
        owned = ownership.owned.numbers
        return len(owned), len(owned & ownership.served.numbers & self.bot.clients.connected)

    def checks(self) -> Mapping[str, str | None]:
        """Return for each check the sentence that says what is not ready, or None.

        The database must have been queried by `refresh`.
        """
        return {
            "gateway": self._gateway(),
            "database": self.database.problem,
            "backlog": self._backlog(),
        }

    def _gateway(self) -> str | None:
        owned, connected = self.shards()
        if owned == 0 and not self.standing_by:
            return "The bot serves no shard of Discord's gateway yet."
        if connected < owned:
            return f"{connected} of {owned} shards are connected to Discord's gateway."
        return None

    def _backlog(self) -> str | None:
        backlog = self.database.backlog
        if backlog is None or backlog.boards <= MOST_WAITING:
            return None
        return f"{backlog.boards} boards wait to be shown, more than {MOST_WAITING}."


@dataclass
class WorkerSubject(Subject):
    """A worker process. `reached` is True while it takes searches from the queue."""

    reached: bool = False

    def checks(self) -> Mapping[str, str | None]:
        return {"queue": None if self.reached else "The queue of searches cannot be reached."}
