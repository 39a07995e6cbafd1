"""The tree of commands: each use of one is answered, and its log lines carry its request id from the first on."""

import asyncio
from typing import Any, TypeVar

import discord
import structlog
from discord import InteractionType, app_commands
from discord.http import Route

from bot.app.errors import Refused
from bot.app.tasks.background import begin_request
from bot.ui.interactions.acting import Interaction, count_ended, request_id
from bot.ui.interactions.admission import turned_away
from bot.ui.interactions.fitting import fits
from bot.ui.interactions.reply import answer_error, refuse
from bot.ui.interactions.suggestions import suggest
from bot.ui.meter import Outcome, age

log = structlog.get_logger()

UNKNOWN = "I know this command in another form than your Discord does; reload Discord and try again."

ANSWERED_WITHIN = 3.0
"""Seconds after which Discord takes no first answer."""

LONGEST_DETAIL = 300
"""Characters of Discord's explanation in the log: a proxy before Discord may answer with a whole page."""

ENTRY_POINT = 4
"""The type of the command that Discord adds when Activities are enabled. discord.py does not know this type."""
_RESPONSE_ONLY = {"application_id", "version", "name_localized", "description_localized"}
_NOT_COMPARED = {*_RESPONSE_ONLY, "id", "dm_permission"}
"""Fields of a command at Discord that the bot does not set; `contexts` replaces `dm_permission`."""


class Commands(app_commands.CommandTree[Any]):
    """The commands of the bot. discord.py leaves a use that does not fit its command without an answer; they do not."""

    registered = False
    """Whether Discord has had the global commands of this version since the start."""

    async def register(self) -> None:
        """Register the global commands at Discord, unless Discord has the same commands already.

        The Entry Point command is sent back as it is: Discord refuses a list without it. If Discord refuses the
        commands but has earlier ones, or cannot say if it has, the bot goes on, and `registered` is False. Raises
        discord.HTTPException and discord.RateLimited otherwise.
        """
        http, application = self.client.http, self.client.application_id
        assert application is not None
        route = Route("GET", "/applications/{application_id}/commands", application_id=application)
        try:
            there = await http.request(route, params={"with_localizations": "true"})
        except discord.DiscordServerError as error:
            _log_refused(error)
            return
        except discord.RateLimited as error:
            _log_rate_limited(error)
            return
        own = [command for command in there if command["type"] != ENTRY_POINT]
        kept = [command for command in there if command["type"] == ENTRY_POINT]
        wanted = [command.to_dict(self) for command in self.get_commands()]
        if _comparable(own) == _comparable(wanted):
            self.registered = True
            return
        wanted += [
            {name: value for name, value in command.items() if name not in _RESPONSE_ONLY} for command in kept
        ]
        try:
            await http.bulk_upsert_global_commands(application, wanted)
        except discord.HTTPException as error:
            if not own:
                raise
            _log_refused(error)
        except discord.RateLimited as error:
            if not own:
                raise
            _log_rate_limited(error)
        else:
            self.registered = True
            log.info("commands.synced", count=len(wanted))

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


def _log_refused(error: discord.HTTPException) -> None:
    detail = " ".join(error.text.split())[:LONGEST_DETAIL]
    log.warning("commands.sync_failed", status=error.status, code=error.code, detail=detail)


def _log_rate_limited(error: discord.RateLimited) -> None:
    log.warning("commands.sync_failed", status=429, code=0, detail=str(error))


def _comparable(commands: list[dict[str, Any]]) -> dict[tuple[int, str], Any]:
    """Return commands by type and name, in a form in which the bot's commands equal the same commands at Discord."""
    return {(command["type"], command["name"]): _plain(command) for command in commands}


def _plain(value: Any) -> Any:
    """Leave out what Discord leaves out or adds: empty values, ids, and the order of contexts."""
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if not isinstance(value, dict):
        return value
    found = {name: _plain(one) for name, one in value.items() if name not in _NOT_COMPARED}
    for name in ("contexts", "integration_types"):
        if name in found:
            found[name] = sorted(found[name] or ())
    if found.get("default_member_permissions") is not None:
        found["default_member_permissions"] = str(found["default_member_permissions"])
    return {
        name: one
        for name, one in found.items()
        if one is not None and one is not False and one not in ("", [], {})
    }


def _ended(interaction: Interaction) -> None:
    """Count a command or completion that was not answered in the usual way: completions are answered by discord.py."""
    outcome = Outcome.LATE if age(interaction.id) > ANSWERED_WITHIN else Outcome.FAILED
    count_ended(interaction, Outcome.ANSWERED if interaction.response.is_done() else outcome)


T = TypeVar("T")


def in_servers(command: T) -> T:
    """Offer a command only in servers that have installed the bot."""
    within = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    return app_commands.allowed_installs(guilds=True, users=False)(within(command))
