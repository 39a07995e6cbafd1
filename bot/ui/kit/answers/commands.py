"""The tree of commands: each use of one is answered, and its log lines carry its request id from the first on."""

from typing import Any

import structlog
from discord import InteractionType, app_commands

from bot.app.errors import Refused
from bot.app.request_ids import begin_request
from bot.ui.kit.answers.acting import Interaction, request_id
from bot.ui.kit.answers.fitting import fits
from bot.ui.kit.answers.reply import broken, refuse

log = structlog.get_logger()

UNKNOWN = "I know this command in another form than your Discord does; reload Discord and try again."


class Commands(app_commands.CommandTree[Any]):
    """The commands of the bot. discord.py leaves a use that does not fit its command without an answer; they do not."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return True if what was sent fits the command. If not, the member is told so."""
        begin_request(request_id(interaction))
        if fits(interaction):
            return True
        if interaction.type is InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            await refuse(interaction, Refused(UNKNOWN))
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Log an error of a command before its answer began, and tell the member."""
        log.error("command failed", exc_info=error)
        if not interaction.response.is_done():
            await refuse(interaction, Refused(broken(interaction)))
