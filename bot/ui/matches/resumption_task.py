"""The background task that tells the players of a match when a pause or an absence has ended by itself."""

from bot.app.errors import Refused
from bot.app.services import Services
from bot.app.tasks.rounds import TryLater
from bot.ui.matches.boards import BoardPublisher
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.clocks import Resumption

TASK = "resumptions"
"""Name of the task whose items are matches in which a pause or an absence has ended."""
PAUSE = 30.0
"""Seconds between two rounds."""


class ResumptionTask:
    """Notifies the players on turn, and has the boards drawn again without the past date."""

    def __init__(self, services: Services, boards: BoardPublisher) -> None:
        self._services = services
        self._boards = boards

    async def round(self) -> float:
        """Handle the pauses and absences that have ended. Return the seconds to wait."""
        now, rounds = self._services.clock.now(), self._services.rounds
        due = await self._services.store.clocks.resumptions(now, await rounds.limit(TASK))
        await rounds.each(TASK, due, self._handle, key=lambda it: it.match)
        if due:
            self._boards.outbox.wake()
        return PAUSE

    async def _handle(self, resumption: Resumption) -> None:
        """Notify the players and record it. After a restart in between, they are notified with the same nonce."""
        try:
            loaded = await self._services.matches.load(resumption.match)
        except Refused:
            return  # The match was deleted.
        try:
            await self._boards.tell_resumed(loaded, resumption)
        except DISCORD_ERRORS as error:
            raise TryLater from error
        await self._services.store.clocks.resumed(resumption, self._services.clock.now())
