"""The tree of commands, which checks every use of a command and registers the commands at Discord."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, TypeVar

import discord
import structlog
from discord import AppCommandOptionType, InteractionType, app_commands
from discord.http import Route

from bot.app.errors import Refused
from bot.app.tasks.background import begin_request
from bot.ui.interactions.reply import (
    Interaction,
    answer_error,
    count_ended,
    refuse,
    request_id,
    suggest,
    turned_away,
)
from bot.ui.posts.answers import Outcome, age

LARGEST = 2**53
"""The largest whole number that an option takes, in size."""
LONGEST = 6000
"""The most characters that an option takes."""
LONGEST_ID = 20
"""The most digits of an id of Discord, which has 64 bits."""

Json = Mapping[str, Any]

_RESOLVED = {
    AppCommandOptionType.user: ("users",),
    AppCommandOptionType.channel: ("channels",),
    AppCommandOptionType.role: ("roles",),
    AppCommandOptionType.mentionable: ("users", "roles"),
    AppCommandOptionType.attachment: ("attachments",),
}
"""By type of option: the kinds of objects that Discord includes, one of which the value names."""
_IDS = frozenset(kind.value for kind in _RESOLVED)


def fits(interaction: Interaction) -> bool:
    """Return True if an interaction uses a known command with options of the right names and values."""
    data: Any = interaction.data
    command = interaction.command
    if isinstance(command, app_commands.ContextMenu):
        kind = "users" if command.type.value == data.get("type") == 2 else "messages"
        return data.get("target_id") in data.get("resolved", {}).get(kind, {})
    if not isinstance(command, app_commands.Command) or data.get("type", 1) != 1:
        return False
    options = list(_leaves(data))
    known = {parameter.display_name: parameter for parameter in command.parameters}
    names = Counter(str(option.get("name")) for option in options)
    if not names.keys() <= known.keys() or any(count > 1 for count in names.values()):
        return False
    if interaction.type is InteractionType.autocomplete:
        # Values that are still being typed may be of any form.
        focused = [option for option in options if option.get("focused")]
        if len(focused) != 1 or not all(map(_readable, options)):
            return False
        parameter = known[focused[0]["name"]]
        return parameter.autocomplete and focused[0]["type"] == parameter.type.value
    required = {name for name, parameter in known.items() if parameter.required}
    return required <= names.keys() and all(
        _takes(known[option["name"]], option, data.get("resolved", {})) for option in options
    )


def _leaves(data: Json) -> Iterator[Json]:
    """Yield the options of the command or subcommand that was used."""
    options = data.get("options", [])
    while options and options[0].get("type") in (1, 2):
        options = options[0].get("options", [])
    yield from options


def _readable(option: Json) -> bool:
    """Return True if the value of an option is text or a number that discord.py can read."""
    kind, value = option.get("type"), option.get("value")
    if not isinstance(value, str if option.get("focused") else str | int | float):
        return False
    if kind not in _IDS:
        return kind in (3, 4, 5)
    return isinstance(value, str) and value.isdecimal() and len(value) <= LONGEST_ID


def _takes(parameter: app_commands.Parameter, option: Json, resolved: Json) -> bool:
    """Return True if an option has the type of a parameter and one of its valid values."""
    kind, value = parameter.type, option.get("value")
    if option.get("type") != kind.value:
        return False
    if kind in _RESOLVED:
        return isinstance(value, str) and any(
            value in resolved.get(objects, {}) for objects in _RESOLVED[kind]
        )
    if parameter.choices and value not in [choice.value for choice in parameter.choices]:
        return False
    low, high = parameter.min_value, parameter.max_value
    least = -LARGEST if low is None else low
    most = LARGEST if high is None else high
    match kind:
        case AppCommandOptionType.boolean:
            return isinstance(value, bool)
        case AppCommandOptionType.string:
            return isinstance(value, str) and (low or 0) <= len(value) <= (high or LONGEST)
        case AppCommandOptionType.integer:
            return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    return False


log = structlog.get_logger()

UNKNOWN = "This command has changed; reload Discord and try again."

ANSWERED_WITHIN = 3.0
"""Seconds after which Discord takes no first answer."""

LONGEST_DETAIL = 300
"""Characters of Discord's explanation in the log: a proxy before Discord may answer with a whole page."""

ENTRY_POINT = 4
"""The type of the command that Discord adds when Activities are enabled. discord.py does not know this type."""
_ENTRY = {
    "type": ENTRY_POINT,
    "name": "launch",
    "handler": 1,  # the application answers, instead of Discord
    "contexts": [0, 1, 2],
    "integration_types": [0, 1],
}
_RESPONSE_ONLY = {"application_id", "version", "name_localized", "description_localized"}
_NOT_COMPARED = {*_RESPONSE_ONLY, "id", "dm_permission"}
"""Fields of a command at Discord that the bot does not set; `contexts` replaces `dm_permission`."""


class Commands(app_commands.CommandTree[Any]):
    """The commands of the bot. Unlike discord.py, it answers a use that does not fit its command."""

    launch: Callable[[Interaction], Awaitable[None]] | None = None
    """Answers the Entry Point command, which opens the Activity; None without an Activity."""
    registered = False
    """True if the global commands of this version were registered since the start."""

    async def register(self) -> None:
        """Register the global commands at Discord, unless Discord has the same commands already.

        Discord refuses a list without its Entry Point command, which is sent back as it is without an Activity here.
        If Discord refuses the commands but has earlier ones, or cannot say if it has, the bot goes on, and `registered`
        is False. Raises discord.HTTPException and discord.RateLimited otherwise.
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
        kept = [command for command in there if command["type"] == ENTRY_POINT and self.launch is None]
        own = [command for command in there if command not in kept]
        wanted = [command.to_dict(self) for command in self.get_commands()]
        if self.launch is not None:
            wanted.append(_ENTRY)
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
        """Return True if the request fits the command. If not, tell the member."""
        begin_request(request_id(interaction))
        task = asyncio.current_task()
        assert task is not None
        task.add_done_callback(lambda _: _ended(interaction))
        if await turned_away(interaction):
            return False
        if fits(interaction):
            return True
        if self.launch is not None and _kind(interaction) == ENTRY_POINT:
            await self.launch(interaction)
            return False
        if interaction.type is InteractionType.autocomplete:
            await suggest(interaction)
        else:
            await refuse(interaction, Refused(UNKNOWN))
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Log an error that was raised before the answer, and tell the member."""
        await answer_error(interaction, error)


def _kind(interaction: Interaction) -> object:
    """Return the type of the command that was used."""
    data: Any = interaction.data
    return data.get("type")


def _log_refused(error: discord.HTTPException) -> None:
    detail = " ".join(error.text.split())[:LONGEST_DETAIL]
    log.warning("commands.sync_failed", status=error.status, code=error.code, detail=detail)


def _log_rate_limited(error: discord.RateLimited) -> None:
    log.warning("commands.sync_failed", status=429, code=0, detail=str(error))


def _comparable(commands: list[dict[str, Any]]) -> dict[tuple[int, str], Any]:
    """Return commands by type and name, in a form in which the bot's commands equal the same commands at Discord."""
    return {(command["type"], command["name"]): _plain(command) for command in commands}


def _plain(value: Any) -> Any:
    """Remove what Discord leaves out or adds: empty values, ids, and the order of contexts."""
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
    """Count a command or completion that was not counted yet. discord.py answers completions."""
    outcome = Outcome.LATE if age(interaction.id) > ANSWERED_WITHIN else Outcome.FAILED
    count_ended(interaction, Outcome.ANSWERED if interaction.response.is_done() else outcome)


T = TypeVar("T")


def in_servers(command: T) -> T:
    """Offer a command only in servers that have installed the bot."""
    within = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    return app_commands.allowed_installs(guilds=True, users=False)(within(command))
