"""Checks if what Discord sent is a use of a command as it is now.

Discord checks the options by what it knows of the command. For a while after an update some of its programs know an
older form, and nothing of the bot may depend on checks that are made elsewhere.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from discord import AppCommandOptionType, InteractionType, app_commands

from bot.ui.interactions.acting import Interaction

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
"""By type of option: the objects that Discord sends along, one of which its value names."""
_IDS = frozenset(kind.value for kind in _RESOLVED)


def fits(interaction: Interaction) -> bool:
    """Return True if what Discord sent is a use of a command of ours, with options of the right names and values."""
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
    """Return True if discord.py can read the value of an option, whatever it means, and it is a text or a number."""
    kind, value = option.get("type"), option.get("value")
    if not isinstance(value, str if option.get("focused") else str | int | float):
        return False
    if kind not in _IDS:
        return kind in (3, 4, 5)
    return isinstance(value, str) and value.isdecimal() and len(value) <= LONGEST_ID


def _takes(parameter: app_commands.Parameter, option: Json, resolved: Json) -> bool:
    """Return True if an option has the type of a parameter and a value that it takes."""
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
