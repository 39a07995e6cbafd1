"""The background task of clocks, which decides matches on time and reminds members."""

import structlog

from bot.app.errors import Refused
from bot.app.matches.timekeeper import REMINDERS, reminder_key
from bot.app.services import Services
from bot.app.tasks.rounds import TryLater
from bot.ui.matches.boards import BoardPublisher
from bot.ui.posts.clients import Clients
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.clocks import Reminder
from db.values.shards import Shards

log = structlog.get_logger()

TIMEOUTS = "timeouts"
"""Name of the task whose items are matches that were decided on time, whose players must be notified."""


class ClockTask:
    """Decides matches on time and reminds members while the bot is connected."""

    def __init__(self, clients: Clients, services: Services, boards: BoardPublisher) -> None:
        self._clients = clients
        self._store = services.store
        self._ownership = services.ownership
        self._matches = services.matches
        self._timekeeper = services.timekeeper
        self._boards = boards
        self._rounds = services.rounds

    async def round(self) -> float:
        """Decide, remind and wait until a clock ends or changes. Return the seconds to wait besides: none."""
        served = self._ownership.served
        connected = served.numbers & self._clients.connected
        if self._matches.move_log.shard_clocks.note_only_connected(connected) and connected != served.numbers:
            log.warning("clocks.paused", shards=sorted(served.numbers - connected))
        if connected:
            await self._round(Shards(served.count, connected))
        await self._timekeeper.wait()
        return 0.0

    async def _round(self, connected: Shards) -> None:
        found = await self._timekeeper.round(connected)
        if found.put_off:
            log.info("clock.time_given_back", matches=sorted(found.put_off))
        if found.decided:
            log.info("match.decided_on_time", matches=found.decided)
        if found.put_off or found.decided:
            self._boards.outbox.wake()
        # A match is decided once, so the rounds after it return it no more.
        failed = map(int, await self._rounds.due(TIMEOUTS))
        await self._rounds.each(TIMEOUTS, [*found.decided, *failed], self._boards.show_unreached)
        await self._rounds.each(REMINDERS, found.reminders, self._remind, key=reminder_key)

    async def _remind(self, reminder: Reminder) -> None:
        """Send a reminder and record it. After a restart in between, it is sent again with the same nonce."""
        try:
            loaded = await self._matches.load(reminder.match)
        except Refused:
            return  # The match was deleted, and the reminder with it.
        clock = loaded.stored.clocks[reminder.seat]
        if clock is not None and clock.deadline == reminder.deadline:
            try:
                await self._boards.remind(loaded, reminder)
            except DISCORD_ERRORS as error:
                raise TryLater from error
        await self._store.clocks.reminded(reminder)
