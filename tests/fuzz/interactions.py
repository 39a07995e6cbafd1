"""Interactions as Discord sends them and as it never would: buttons, menus, commands, their options and forms."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from discord import app_commands

from bot.sandbox.world.records import AUTOCOMPLETE, COMMAND
from tests.fuzz.texts import huge_number, text
from tests.stored.test_custom_ids import POSTED

Json = dict[str, Any]
BUTTON, STRING_SELECT = 2, 3
COSTLY = re.compile(
    r"(?:show-)?(?:watch|step|review|moment|hint|whatif|line|explore|puzzle|solve|play-|beginner|help:|learn|try|rules)"
)
"""Custom ids whose right use draws films or searches for moves."""
COSTLY_COMMANDS = frozenset({"replay", "review", "play", "learn", "puzzle", "rules", "Replay this game"})
ADMIN = "admin"
OFTEN = 0.06
"""The share of the commands that are the owner's."""
SELDOM = 0.03
"""The share of the costly inputs that are used."""
WORDS = (
    *(
        "alaric",
        "skull",
        "palindromes",
        "any",
        "quick",
        "standard",
        "7x4",
        "24h",
        "15m+10s",
        "none",
        "c4",
        "1",
    ),
    *("here", "everywhere", "always", "season", "won", "same", "new", "back", "first", "paper", "on", "off"),
)


@dataclass(frozen=True)
class Press:
    """A button or menu is used. `placed`: a message of the bot's has it, as Discord makes sure."""

    who: int
    where: str
    custom_id: str
    placed: bool
    menu: bool
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Use:
    """A command is used or an option of it is typed. `files` are the contents of files by their id in `data`."""

    who: int
    where: str
    kind: int
    data: Json
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)


@dataclass(frozen=True)
class World:
    """All that can be referred to: ids of members, matches and challenges, custom ids that the bot has posted."""

    people: Sequence[Json]
    numbers: Sequence[int]
    posted: Sequence[str]
    commands: Sequence[app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu]
    channels: Sequence[str]
    menus: Mapping[str, Sequence[Json]]
    """The options of the menus that were posted, by custom id."""
    admin_server: str
    """The id of the only server in which the owner's command is registered."""


def press(world: World, chance: Random) -> Press:
    """A button or a menu: one that was posted, with its parts changed, or any text."""
    custom_id = chance.choice([*[custom_id for custom_id, *_ in POSTED], *world.posted, *world.posted])
    for _ in range(chance.choice([0, 1, 1, 2, 3])):
        custom_id = _changed(custom_id, world, chance)
    if COSTLY.match(custom_id) and chance.random() > SELDOM:
        custom_id = f"play:{chance.choice(world.numbers)}:{chance.randint(0, 9)}:{text(WORDS, chance)}"
    custom_id = custom_id.encode(errors="replace").decode()[:100] or "?"
    menu = (custom_id in world.menus) != (chance.random() < 0.05)
    offered = [option["value"] for option in world.menus.get(custom_id, ())]
    values = [
        chance.choice(offered) if offered and chance.random() < 0.7 else _value(world, chance)
        for _ in range(chance.choice([1, 1, 1, 1, 0, 2]))
    ]
    return Press(
        chance.randrange(3),
        chance.choice(world.channels),
        custom_id,
        chance.random() < 0.9,
        menu,
        tuple(values),
    )


def _changed(custom_id: str, world: World, chance: Random) -> str:
    parts = custom_id.split(":")
    at = chance.randrange(len(parts))
    match chance.randrange(8):
        case 0:
            parts.insert(at, _value(world, chance))
        case 1 if len(parts) > 1:
            parts.pop(at)
        case 2:
            return text([custom_id], chance)
        case 3 | 4:
            numbered = [index for index, part in enumerate(parts) if part.isdecimal()] or [at]
            parts[chance.choice(numbered)] = str(chance.choice([*world.numbers, 0, 10**9, 2**63, -1]))
        case _:
            parts[at] = _value(world, chance)
    return ":".join(parts)


def _value(world: World, chance: Random) -> str:
    choices: list[str] = [
        *(str(chance.choice(world.numbers)), str(chance.choice(world.numbers)), huge_number(chance)),
        *(chance.choice(world.people)["id"], chance.choice(WORDS), text(WORDS, chance)),
    ]
    return chance.choice(choices)[:100]


def use(world: World, chance: Random) -> Use:
    """A command: right, with hostile values, or in a form that no version of it has had."""
    command = chance.choice(world.commands)
    while command.name in COSTLY_COMMANDS and chance.random() > SELDOM:
        command = chance.choice(world.commands)
    if chance.random() < OFTEN:
        command = next(it for it in world.commands if it.name == ADMIN)
    who, where = chance.randrange(3), chance.choice(world.channels)
    data: Json = {"id": "1", "name": command.name, "type": 1}
    if command.name == ADMIN:
        data["guild_id"] = world.admin_server
    files: dict[str, tuple[str, bytes]] = {}
    if isinstance(command, app_commands.ContextMenu):
        person = chance.choice(world.people)
        data |= {"type": command.type.value, "target_id": person["id"]}
        data["resolved"] = {"users": {person["id"]: person}}
        return Use(who, where, COMMAND, _spoilt(data, chance), files)
    path = []
    leaf: Any = command
    while isinstance(leaf, app_commands.Group):
        leaf = chance.choice(leaf.commands)
        path.append({"name": leaf.name, "type": 2 if isinstance(leaf, app_commands.Group) else 1})
    options = [
        _option(parameter, data, files, world, chance)
        for parameter in leaf.parameters
        if parameter.required or chance.random() < 0.5
    ]
    kind = COMMAND
    typed = {it.display_name: it.type.value for it in leaf.parameters if it.autocomplete}
    if typed and chance.random() < 0.4:
        kind, name = AUTOCOMPLETE, chance.choice(list(typed))
        options = [option for option in options if option["name"] != name]
        options.append(
            {"name": name, "type": typed[name], "value": text(WORDS, chance)[:6000], "focused": True}
        )
    for step in reversed(path):
        options = [step | {"options": options}]
    data["options"] = options
    return Use(who, where, kind, _spoilt(data, chance) if chance.random() < 0.3 else data, files)


def _option(
    parameter: app_commands.Parameter,
    data: Json,
    files: dict[str, tuple[str, bytes]],
    world: World,
    chance: Random,
) -> Json:
    """An option with a value of its type, as hostile as Discord lets through."""
    value: Any
    match parameter.type.value:
        case 3:
            value = text(WORDS, chance)[: int(parameter.max_value or 6000)]
            value = value.encode(errors="replace").decode()
        case 4:
            low, high = parameter.min_value, parameter.max_value
            value = chance.choice([*world.numbers, 0, 1, -1, 2**31, 2**53, -(2**53)])
            value = max(value if low is None else low, min(value, value if high is None else high))
        case 5:
            value = chance.random() < 0.5
        case 6:
            person = chance.choice(world.people)
            value = person["id"]
            data.setdefault("resolved", {}).setdefault("users", {})[value] = person
        case 11:
            value = str(10**18 + chance.randrange(10**6))
            files[value] = (text(["record.json", "a.zip", "42.zip"], chance), chance.randbytes(8))
        case _:
            value = text(WORDS, chance)
    if parameter.choices and chance.random() < 0.9:
        value = chance.choice(parameter.choices).value
    return {"name": parameter.display_name, "type": parameter.type.value, "value": value}


def _spoilt(data: Json, chance: Random) -> Json:
    """A command with something in it that no Discord sends, or that another version of the command had."""
    data = json.loads(json.dumps(data))
    options: list[Json] = data.get("options", [])
    match chance.randrange(9):
        case 0:
            data["name"] = text([data["name"]], chance)[:100]
        case 1:
            data["options"] = [
                {"name": text(["all"], chance)[:100], "type": chance.choice([1, 2]), "options": options}
            ]
        case 2:
            data["options"] = [
                *options,
                *({"name": f"option{at}", "type": 3, "value": "x"} for at in range(30)),
            ]
        case 3:
            data["options"] = options + options
        case 4:
            data.pop("options", None)
        case 5:
            data.pop("resolved", None)
        case 6:
            data["type"] = chance.choice([4, 99])
        case _ if options:
            option = chance.choice(options)
            key = chance.choice(["value", "value", "value", "type", "name"])
            values = [
                None,
                True,
                0,
                -1,
                1.5,
                2**70,
                "",
                "x" * 7000,
                [],
                {},
                ["x"],
                {"a": 1},
                text(WORDS, chance),
            ]
            option[key] = (
                chance.choice([3, 4, 5, 6, 7, 10, 11, 99]) if key == "type" else chance.choice(values)
            )
            if key == "name":
                option[key] = str(option[key])[:100]
    return data


def submission(modal: Json, world: World, chance: Random) -> Json:
    """The sending of an open form: right, with hostile texts and values, with parts left out, or of another form."""
    parts = []
    for part in modal["components"]:
        inner = part.get("component")
        if inner is None or chance.random() < 0.05:
            continue
        filled = {"type": inner["type"], "id": inner["id"], "custom_id": inner["custom_id"]}
        if inner["type"] == 4:
            said = text(WORDS, chance).encode(errors="replace").decode()
            filled["value"] = said if chance.random() < 0.1 else said[: inner.get("max_length", 4000)]
        else:
            offered = [option["value"] for option in inner.get("options", [])]
            value = chance.choice(offered) if offered and chance.random() < 0.7 else _value(world, chance)
            filled |= (
                {"value": value}
                if inner["type"] == 21
                else {"values": [value] * chance.choice([1, 1, 1, 0, 2])}
            )
        parts.append({"type": part["type"], "id": part["id"], "component": filled})
    custom_id = modal["custom_id"] if chance.random() < 0.9 else text([modal["custom_id"]], chance)[:100]
    return {"custom_id": custom_id, "components": parts}
