"""The background task that reminds the players of forgotten matches, and ends these at last."""

import structlog

from bot.app.errors import Refused
from bot.app.matches.forgotten import END, TASK
from bot.app.services import Services
from bot.app.tasks.rounds import TryLater
from bot.ui.matches.boards import BoardPublisher
from bot.ui.posts.requests import DISCORD_ERRORS
from db.values.matches import ForgottenMatch

log = structlog.get_logger()

PAUSE = 600.0
"""Seconds between two rounds."""


class ForgottenTask:
    """Reminds, warns and ends."""

    def __init__(self, services: Services, boards: BoardPublisher) -> None:
        self._services = services
        self._boards = boards

    async def round(self) -> float:
        """Handle the matches that have reached a stage. Return the seconds to wait."""
        due = await self._services.forgotten.due()
        await self._services.rounds.each(TASK, due, self._handle, key=lambda it: it.match)
        return PAUSE

    async def _handle(self, forgotten: ForgottenMatch) -> None:
        if forgotten.stage == END:
            if await self._services.forgotten.end(forgotten):
                log.info("match.forgotten", match=forgotten.match)
                self._boards.outbox.wake()
                await self._boards.show_unreached(forgotten.match)
            return
        try:
            loaded = await self._services.matches.load(forgotten.match)
        except Refused:
            return  # The match was deleted.
        if loaded.plies == forgotten.plies and not loaded.match.over:
            try:
                await self._boards.remind_of_forgotten(loaded, forgotten)
            except DISCORD_ERRORS as error:
                raise TryLater from error
        await self._services.forgotten.told(forgotten)
