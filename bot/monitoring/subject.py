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


MOST_WAITING = 100
"""Boards that may wait to be shown while the bot counts as ready; it shows some ten of them in a second."""

# A process that only searches for others needs none of the bot, and only one setting needs the queue.
if TYPE_CHECKING:
    from bot.pencilbox import Pencilbox
    from db.jobs.queue import SearchQueue


@dataclass
class Subject:
    """The parts of a process that serves members, as far as they exist already."""

    database: DatabaseProbe
    search: SearchWorkers | None = None
    queue: "SearchQueue | None" = None
    """The way to workers; None where searches are not given to any."""
    bot: "Pencilbox | None" = None

    @property
    def standing_by(self) -> bool:
        """True if this process could serve, and other processes serve everything."""
        return self.bot is not None and self.bot.stands_by and not self.bot.services.ownership.owned.numbers

    def shards(self) -> tuple[int, int]:
        """Return the number of shards that this process owns, and how many of them are served and connected."""
        if self.bot is None:
            return 0, 0
        ownership = self.bot.services.ownership
        owned = ownership.owned.numbers
        return len(owned), len(owned & ownership.served.numbers & self.bot.clients.connected)

    def checks(self) -> Mapping[str, str | None]:
        """Return by the name of each check the sentence that says what is not ready, or None.

        The database must have been looked at.
        """
        return {
            "gateway": self._gateway(),
            "database": self.database.trouble,
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
    """A process that only searches for others. `reached` is True while it takes searches from the queue."""

    reached: bool = False

    def checks(self) -> Mapping[str, str | None]:
        return {"queue": None if self.reached else "The queue of searches cannot be reached."}
