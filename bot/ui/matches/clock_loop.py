"""The clocks while the bot is connected: matches are decided on time, members are reminded."""

import discord
import structlog

from bot.app.errors import Refused
from bot.app.services import Services
from bot.ui.kit.services import Kit
from bot.ui.matches.posts.board_poster import BoardPoster
from db.api.clocks import Reminder

log = structlog.get_logger()


class ClockLoop:
    """Looks after the clocks of all matches for as long as the bot runs."""

    def __init__(
        self, client: discord.AutoShardedClient, services: Services, kit: Kit, boards: BoardPoster
    ) -> None:
        self._client = client
        self._store = services.store
        self._matches = services.matches
        self._timekeeper = services.timekeeper
        self._turn_notices = kit.turn_notices
        self._boards = boards

    async def round(self) -> float:
        """Decide, remind and wait until a clock ends or changes. Return the seconds to wait besides: none."""
        if self._connected():
            await self._round()
        elif self._matches.move_log.presence.away():
            log.warning("clocks wait until discord can be reached")
        await self._timekeeper.wait()
        return 0.0

    def _connected(self) -> bool:
        shards = self._client.shards.values()
        return not self._client.is_closed() and not any(shard.is_closed() for shard in shards)

    async def _round(self) -> None:
        found = await self._timekeeper.round()
        for match in found.put_off:
            log.info("time given back", match=match)
            await self._boards.refresh(match)
        if found.decided:
            log.info("decided on time", matches=found.decided)
            await self._boards.show_all(found.decided)
        for reminder in found.reminders:
            await self._remind(reminder)

    async def _remind(self, reminder: Reminder) -> None:
        try:
            table = await self._matches.table(reminder.match)
        except Refused:
            return
        clock = table.stored.clocks[reminder.seat]
        if clock is not None and clock.deadline == reminder.deadline:
            await self._store.add_calls(await self._turn_notices.remind(table, reminder))
