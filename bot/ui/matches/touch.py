"""Opening the Activity at a match, whose board is touched there."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import discord

from bot.app.errors import Refused
from bot.ui.interactions.buttons import IdButton
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


class TouchButton(IdButton, word="touch", label="Tap the board"):
    """Opens the Activity at a match."""

    match: int

    async def answer(self, context: Context) -> None:
        await _launch(context, self.match)

    async def callback(self, interaction: Interaction) -> None:
        if not await turned_away(interaction):
            await _answer(interaction, self.checked_answer)


async def launch(interaction: Interaction) -> None:
    """Answer the Entry Point command: open the Activity at the list of the member's games."""
    await _answer(interaction, partial(_launch, match=0))


async def _launch(context: Context, match: int) -> None:
    """Open the Activity. Raises Refused if there is none."""
    touched = context.ui_services.touched_matches
    if touched is None:
        raise Refused("The board cannot be opened for tapping any more; use the buttons below it.")
    touched.remember(context.user, match)
    # The page may be served by another process.
    await context.services.store.members.tell_touched(context.user, match)
    await context.interaction.response.launch_activity()


async def _answer(
    interaction: Interaction, answering: Callable[[Context], Coroutine[Any, Any, object]]
) -> None:
    """Open the Activity, or refuse. Discord accepts it only as the first answer, so nothing is acknowledged before."""
    try:
        await in_time(answering(context_of(interaction)))
    except Refused as refusal:
        await refuse(interaction, refusal)
    except DISCORD_ERRORS as error:
        count_ended(interaction, Outcome.LATE if isinstance(error, discord.NotFound) else Outcome.FAILED)
    except Exception as error:
        await answer_error(interaction, error)
    else:
        count_ended(interaction, Outcome.ANSWERED)
