"""The parts of this process that are looked at. They come into being one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.monitoring.probe import DatabaseProbe
from bot.search.workers import SearchWorkers

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
