"""The tree of commands: each use of one is answered, and its log lines carry its request id from the first on."""

import asyncio
from typing import Any

from discord import InteractionType, app_commands

from bot.app.errors import Refused
from bot.app.tasks.request_ids import begin_request
from bot.ui.kit.answers.acting import Interaction, count_ended, request_id
from bot.ui.kit.answers.admission import turned_away
from bot.ui.kit.answers.fitting import fits
from bot.ui.kit.answers.reply import answer_error, refuse
from bot.ui.kit.answers.suggestions import suggest
from bot.ui.kit.meter import Outcome, age

UNKNOWN = "I know this command in another form than your Discord does; reload Discord and try again."

ANSWERED_WITHIN = 3.0
"""Seconds after which Discord takes no first answer."""


class Commands(app_commands.CommandTree[Any]):
    """The commands of the bot. discord.py leaves a use that does not fit its command without an answer; they do not."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return True if what was sent fits the command. If not, the member is told so."""
        begin_request(request_id(interaction))
        task = asyncio.current_task()
        assert task is not None
        task.add_done_callback(lambda _: _ended(interaction))
        if await turned_away(interaction):
            return False
        if fits(interaction):
            return True
        if interaction.type is InteractionType.autocomplete:
            await suggest(interaction)
        else:
            await refuse(interaction, Refused(UNKNOWN))
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Log an error of a command before its answer began, and tell the member."""
        await answer_error(interaction, error)


def _ended(interaction: Interaction) -> None:
    """Count a command or completion that was not answered in the usual way: completions are answered by discord.py."""
    outcome = Outcome.LATE if age(interaction.id) > ANSWERED_WITHIN else Outcome.FAILED
    count_ended(interaction, Outcome.ANSWERED if interaction.response.is_done() else outcome)
