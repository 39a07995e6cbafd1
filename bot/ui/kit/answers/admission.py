"""The first question of every interaction: may it be answered at all?"""

from typing import cast

import discord
import structlog

from bot.app.errors import Refused
from bot.ui.kit.answers.acting import Bot, Interaction, count_ended
from bot.ui.kit.answers.banned import refuse_if_banned
from bot.ui.kit.answers.suggestions import suggest
from bot.ui.kit.meter import Outcome
from bot.ui.kit.posts.posting import DISCORD_ERRORS

log = structlog.get_logger()

TOO_MANY = "I am still busy with what you did before, so this did nothing; try it again in a moment."


async def turned_away(interaction: Interaction) -> bool:
    """Return True if an interaction is not answered; the member is told why then.

    Discord limits how often a member may press. Should one still press faster than the bot can answer, others do not
    wait for all of that.
    """
    running_answers = cast(Bot, interaction.client).kit.running_answers
    if running_answers.admit(interaction.user.id):
        return await refuse_if_banned(interaction)
    if interaction.type is discord.InteractionType.autocomplete:
        await suggest(interaction)
        return True
    outcome = Outcome.TURNED_AWAY
    try:
        # Nothing else: no acknowledgement before, and nothing that waits for an answer at this place.
        await interaction.response.send_message(str(Refused(TOO_MANY)), ephemeral=True)
    except DISCORD_ERRORS as error:
        outcome = Outcome.LATE if isinstance(error, discord.NotFound) else Outcome.FAILED
        log.info("answer not delivered", error=type(error).__name__)
    count_ended(interaction, outcome)
    return True
