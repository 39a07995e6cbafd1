"""Checks of the commands that an application registers."""

import re
from collections.abc import Mapping
from typing import Any

from bot.sandbox.checks.fields import Field, Problems, flag, integer, many, nested, number, one_of, read, text
from bot.sandbox.json_types import Object, Path

CHAT_INPUT, USER, MESSAGE, ENTRY_POINT = 1, 2, 3, 4
LAUNCHED_BY_DISCORD = 2
"""The handler of an Entry Point command that launches the Activity without an interaction."""
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER_OPTION, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = (
    range(1, 12)
)

MOST_COMMANDS = {CHAT_INPUT: 100, USER: 15, MESSAGE: 15, ENTRY_POINT: 1}
"""The largest number of commands of each type."""
MOST_CHARACTERS = 8000
NAME = re.compile(r"[-_'\w]{1,32}")


def command(problems: Problems, path: Path, value: Any) -> Object:
    """Return the command to create, with all its fields. Problems are added to `problems`."""
    kind = value.get("type", CHAT_INPUT) if isinstance(value, dict) else CHAT_INPUT
    found = read(problems, path, value, FIELDS)
    found.setdefault("type", CHAT_INPUT)
    if kind != ENTRY_POINT:
        found.pop("handler", None)
    if kind in (USER, MESSAGE, ENTRY_POINT):
        if found.get("description"):
            problems.add(
                (*path, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", "Must be empty"
            )
        if found.get("options"):
            problems.add((*path, "options"), "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS", "Must be empty")
        found.pop("options", None)
        found["description"] = ""
    else:
        _name(problems, path, found)
        _described(problems, path, found)
        _options(problems, path, found.get("options", []))
        if _size(found) > MOST_CHARACTERS:
            problems.add(
                path,
                "APPLICATION_COMMAND_TOO_LARGE",
                f"Command exceeds maximum size ({MOST_CHARACTERS})",
            )
    return found


def _name(problems: Problems, path: Path, found: Object) -> None:
    name = found.get("name", "")
    if name and (not NAME.fullmatch(name) or name != name.lower()):
        problems.add(
            (*path, "name"),
            "APPLICATION_COMMAND_INVALID_NAME",
            "Command name is invalid: 1 to 32 lower-case letters, digits, - or _",
        )


def _described(problems: Problems, path: Path, found: Object) -> None:
    if "description" not in found:
        problems.add_missing((*path, "description"))
    elif not found["description"]:
        problems.add((*path, "description"), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def _options(problems: Problems, path: Path, options: list[Object], depth: int = 0) -> None:
    """Check the rules between the options of a command, and between the options of its subcommands."""
    names = [option.get("name") for option in options]
    nested_ = [option.get("type") in (SUBCOMMAND, GROUP) for option in options]
    if any(nested_) and not all(nested_):
        sentence = "Sub-commands and values cannot be mixed"
        problems.add((*path, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", sentence)
    optional = False
    for place, option in enumerate(options):
        at = (*path, "options", place)
        _name(problems, at, option)
        _described(problems, at, option)
        if names.index(option.get("name")) < place:
            problems.add(at, "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option names must be unique")
        if option.get("required") and optional:
            problems.add(
                at,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional = optional or not option.get("required")
        kind = option.get("type")
        if kind in (SUBCOMMAND, GROUP):
            if depth == 2 or (depth == 1 and kind == GROUP):
                problems.add((*at, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Nested too deep")
            _options(problems, at, option.get("options", []), 2 if kind == SUBCOMMAND else 1)
        else:
            option.pop("options", None)
            _choices(problems, at, option)


def _choices(problems: Problems, path: Path, option: Object) -> None:
    choices = option.get("choices", [])
    if option.get("type") not in (STRING, INTEGER, NUMBER):
        if choices or option.get("autocomplete"):
            problems.add(
                path, "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "This type of option has no choices"
            )
        return
    if choices and option.get("autocomplete"):
        problems.add(
            path,
            "APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_INVALID",
            "autocomplete and choices are mutually exclusive",
        )
    check = {STRING: text(0, 100), INTEGER: integer(-(2**53), 2**53), NUMBER: number}[option["type"]]
    for place, choice in enumerate(choices):
        check(problems, (*path, "choices", place, "value"), choice.get("value"))
    for key in ("name", "value"):
        given = [choice.get(key) for choice in choices]
        if len(set(given)) < len(given):
            problems.add(
                (*path, "choices"),
                "APPLICATION_COMMAND_OPTIONS_CHOICE_DUPLICATED",
                f"Each {key} must be unique",
            )


def _size(found: Object) -> int:
    """Return the number of characters that count towards a command's limit."""
    own = len(found.get("name", "")) + len(found.get("description", ""))
    choices = sum(
        len(str(one.get("name", ""))) + len(str(one.get("value", ""))) for one in found.get("choices", [])
    )
    return own + choices + sum(map(_size, found.get("options", [])))


def _scalar(problems: Problems, path: Path, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        problems.add(path, "UNION_TYPE_CHOICES", "Must be a text or a number")
        return ""
    return value


def _translations(problems: Problems, path: Path, value: Any) -> Any:
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        problems.add(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
    return value


def _permissions(problems: Problems, path: Path, value: Any) -> str:
    if isinstance(value, bool) or not str(value).isdecimal():
        problems.add(path, "NUMBER_TYPE_COERCE", f'Value "{value}" is not a permission bit set.')
    return str(value)


def _option(problems: Problems, path: Path, value: Any) -> Object:
    return read(problems, path, value, OPTION)


LOCALISED: Mapping[str, Field] = {
    "name_localizations": Field(_translations),
    "description_localizations": Field(_translations),
}
CHOICE: Mapping[str, Field] = {
    "name": Field(text(1, 100), required=True),
    "name_localizations": Field(_translations),
    "value": Field(_scalar, required=True),
}
OPTION: Mapping[str, Field] = {
    "type": Field(integer(1, 11), required=True),
    "name": Field(text(1, 32), required=True),
    "description": Field(text(0, 100), required=True),
    **LOCALISED,
    "required": Field(flag),
    "autocomplete": Field(flag),
    "choices": Field(many(nested(CHOICE), 0, 25)),
    "options": Field(many(_option, 0, 25)),
    "channel_types": Field(many(integer(0, 20), 0, 25)),
    "min_value": Field(number),
    "max_value": Field(number),
    "min_length": Field(integer(0, 6000)),
    "max_length": Field(integer(1, 6000)),
}
FIELDS: Mapping[str, Field] = {
    "type": Field(one_of(CHAT_INPUT, USER, MESSAGE, ENTRY_POINT), default=CHAT_INPUT),
    "name": Field(text(1, 32), required=True),
    "description": Field(text(0, 100)),
    **LOCALISED,
    "options": Field(many(_option, 0, 25)),
    "default_member_permissions": Field(_permissions, null=True),
    "dm_permission": Field(flag, default=True),
    "contexts": Field(many(integer(0, 2), 0, 3), null=True),
    "integration_types": Field(many(integer(0, 1), 0, 2), default=[0]),
    "nsfw": Field(flag, default=False),
    "handler": Field(integer(1, LAUNCHED_BY_DISCORD)),
}
