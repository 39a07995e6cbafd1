"""The first question of every interaction: may it be answered at all? Answers to banned members and servers."""

from typing import Any, cast

import discord
import structlog
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.ui.interactions.acting import Bot, Interaction, count_ended
from bot.ui.interactions.reply import refuse
from bot.ui.interactions.suggestions import suggest
from bot.ui.meter import Outcome
from bot.ui.posts.posting import DISCORD_ERRORS
from db.values.administration import Ban
from rules.core.errors import shown

LONGEST_REASON = 200
"""The most characters of a reason."""
STAYS = "privacy"
"""The command, and the beginning of the custom ids, by which also banned members get their data or have it deleted."""


async def refuse_if_banned(interaction: Interaction) -> bool:
    """Return True if the member or the server is banned; the member is told then."""
    administration = cast(Bot, interaction.client).services.administration
    of_server = administration.ban_of_server(interaction.guild_id)
    ban = administration.ban_of_member(interaction.user.id) or of_server
    if ban is None or _is_about_privacy(interaction):
        return False
    if interaction.type is discord.InteractionType.autocomplete:
        await suggest(interaction)
    else:
        await refuse(interaction, Refused(_sentence(ban, server=ban is of_server)))
    return True


def _sentence(ban: Ban, *, server: bool) -> str:
    until = "any more" if ban.until is None else f"until {format_dt(ban.until)}"
    reason = shown(ban.reason, LONGEST_REASON)
    if server:
        return f"I may not be used in this server {until}, because of this: {reason}."
    return f"You may not use me {until}, because of this: {reason}; only `/privacy` still answers you."


def _is_about_privacy(interaction: Interaction) -> bool:
    data = cast("dict[str, Any]", interaction.data)
    return data.get("name") == STAYS or str(data.get("custom_id", "")).startswith(f"{STAYS}:")


log = structlog.get_logger()

TOO_MANY = "I am still busy with what you did before, so this did nothing; try it again in a moment."


async def turned_away(interaction: Interaction) -> bool:
    """Return True if an interaction is not answered; the member is told why then.

    Discord limits how often a member may press. Should one still press faster than the bot can answer, others do not
    wait for all of that.
    """
    running_answers = cast(Bot, interaction.client).ui_services.running_answers
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
