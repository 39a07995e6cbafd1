"""Opening the Activity at a match, whose board is touched there."""

from typing import Any

import discord
from discord import ui

from bot.app.errors import Refused
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import (
    Context,
    Interaction,
    answer_error,
    context_of,
    count_ended,
    refuse,
    turned_away,
)
from bot.ui.posts.answers import Outcome, in_time
from bot.ui.posts.requests import DISCORD_ERRORS


class TouchButton(PersistentItem[ui.Button[Any]], template=r"touch:(?P<match>[0-9]+)"):
    """Opens the Activity. Discord accepts that only as the first answer, so nothing is acknowledged before."""

    def __init__(self, match: int) -> None:
        self.match = match
        super().__init__(ui.Button(label="Tap the board", custom_id=f"touch:{match}"))

    async def answer(self, context: Context) -> None:
        """Open the Activity. Raises Refused if there is none."""
        touched = context.ui_services.touched_matches
        if touched is None:
            raise Refused("The board cannot be opened for tapping any more; use the buttons below it.")
        touched.remember(context.user, self.match)
        await context.interaction.response.launch_activity()

    async def callback(self, interaction: Interaction) -> None:
        if await turned_away(interaction):
            return
        context = context_of(interaction)
        try:
            await in_time(self.check_visible(context))
            await self.answer(context)
        except Refused as refusal:
            await refuse(interaction, refusal)
        except DISCORD_ERRORS as error:
            count_ended(interaction, Outcome.LATE if isinstance(error, discord.NotFound) else Outcome.FAILED)
        except Exception as error:
            await answer_error(interaction, error)
        else:
            count_ended(interaction, Outcome.ANSWERED)
