"""A private note about the progress of an answer that takes several seconds."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import discord
import structlog

from bot.app.tasks.background import set_within
from bot.ui.components.message_parts import message
from bot.ui.interactions.reply import NOBODY, Context, answers_in_components, is_command
from bot.ui.posts.requests import DISCORD_ERRORS

log = structlog.get_logger()

FIRST, AGAIN = 1.5, 2.0
"""Seconds until the first note, and between two notes. Most answers are given before the first note."""


class Waiting:
    """A private note about progress. The answer replaces the note of a command; the note of a button is deleted.

    If Discord refuses the note, the answer is given without it.
    """

    def __init__(self, context: Context) -> None:
        self._interaction, self._first_answer = context.interaction, context.first_answer
        self._note: discord.WebhookMessage | None = None

    @asynccontextmanager
    async def telling(self, words: Callable[[int, int], str]) -> AsyncIterator[Callable[[int, int], None]]:
        """Show the progress until the context ends. `words` makes the text from the parts done and all parts.

        Yield the function that sets both numbers, which are 0 at first.
        """
        count = 0, 0
        finished = asyncio.Event()

        def tell(done: int, of: int) -> None:
            nonlocal count
            count = done, of

        async def show() -> None:
            pause = FIRST
            while not await set_within(finished, pause):
                await self._show(words(*count))
                pause = AGAIN

        showing = asyncio.create_task(show())
        try:
            yield tell
        finally:
            # The last note has to arrive before the answer.
            finished.set()
            await showing
            await self._end()

    async def _show(self, words: str) -> None:
        view = message(words)
        await self._first_answer.acknowledge()
        try:
            if is_command(self._interaction):
                answers_in_components(self._interaction)
                await self._interaction.edit_original_response(view=view, allowed_mentions=NOBODY)
            elif self._note is None:
                self._note = await self._interaction.followup.send(view=view, ephemeral=True, wait=True)
            else:
                await self._note.edit(view=view)
        except DISCORD_ERRORS as error:
            log.info("progress.show_failed", error=type(error).__name__)

    async def _end(self) -> None:
        """Delete the note of a button."""
        if self._note is None:
            return
        try:
            await self._note.delete()
        except DISCORD_ERRORS as error:
            log.info("progress.delete_failed", error=type(error).__name__)
        self._note = None
