"""The tree of commands: from the first line on, the log lines of a command or a completion carry its request id."""

from typing import Any

from discord import app_commands

from bot.app.request_ids import begin_request
from bot.ui.kit.answers.acting import Interaction, request_id


class Commands(app_commands.CommandTree[Any]):
    """The commands of the bot."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        begin_request(request_id(interaction))
        return True
