"""Registration of commands, global ones and those of the server, and every rule about them."""

from typing import Any

import pytest

from tests.contract.player import Player, Refused
from tests.sandbox.checks.test_limits import code_at
from tests.sandbox.raw_bot import Json, RawBot


def command(**more: Any) -> Json:
    return {"name": "go", "description": "Go", **more}


def option(**more: Any) -> Json:
    return {"type": 3, "name": "o", "description": "o", **more}


def choice(n: int) -> Json:
    return {"name": str(n), "value": str(n)}


WRONG: dict[str, tuple[Json, str, str]] = {
    "name too long": (command(name="x" * 33), "name", "BASE_TYPE_BAD_LENGTH"),
    "name in capitals": (command(name="Go"), "name", "APPLICATION_COMMAND_INVALID_NAME"),
    "name of two words": (command(name="go on"), "name", "APPLICATION_COMMAND_INVALID_NAME"),
    "no description": ({"name": "go"}, "description", "BASE_TYPE_REQUIRED"),
    "empty description": (command(description=""), "description", "BASE_TYPE_BAD_LENGTH"),
    "description too long": (command(description="x" * 101), "description", "BASE_TYPE_MAX_LENGTH"),
    "menu with a description": (
        command(type=2),
        "description",
        "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION",
    ),
    "unknown type": (command(type=9), "type", "BASE_TYPE_CHOICES"),
    "26 options": (command(options=[option()] * 26), "options", "BASE_TYPE_MAX_LENGTH"),
    "option twice": (
        command(options=[option(), option()]),
        "options.1",
        "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
    ),
    "required after optional": (
        command(options=[option(), option(name="p", required=True)]),
        "options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    "26 choices": (
        command(options=[option(choices=[choice(n) for n in range(26)])]),
        "options.0.choices",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "choice twice": (
        command(options=[option(choices=[choice(1), choice(1)])]),
        "options.0.choices",
        "APPLICATION_COMMAND_OPTIONS_CHOICE_DUPLICATED",
    ),
    "choice of another type": (
        command(options=[option(type=4, choices=[choice(1)])]),
        "options.0.choices.0.value",
        "NUMBER_TYPE_COERCE",
    ),
    "choices and autocomplete": (
        command(options=[option(choices=[choice(1)], autocomplete=True)]),
        "options.0",
        "APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_INVALID",
    ),
    "choices of a user": (
        command(options=[option(type=6, choices=[choice(1)])]),
        "options.0",
        "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
    ),
    "subcommand beside a value": (
        command(options=[option(), option(type=1, name="s")]),
        "options",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "subcommand in a subcommand": (
        command(options=[option(type=1, options=[option(type=1)])]),
        "options.0.options.0.type",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "too large": (
        command(
            options=[
                option(name=f"o{n}", choices=[{"name": f"{c:<90}", "value": f"{c:<90}"} for c in range(25)])
                for n in range(2)
            ]
        ),
        "",
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
}


@pytest.mark.parametrize("case", WRONG)
async def test_a_command_is_refused_where_it_is_wrong(case: str, rest: RawBot) -> None:
    body, path, code = WRONG[case]
    status, refusal = await rest.call("POST", f"/applications/{rest.application}/commands", body)
    assert (status, refusal["code"]) == (400, 50035)
    assert code_at(refusal, path) == code


async def test_a_list_names_the_command_that_is_wrong(rest: RawBot) -> None:
    address = f"/applications/{rest.application}/commands"
    _, refusal = await rest.call("PUT", address, [command(), command(name="NO")])
    assert code_at(refusal, "1.name") == "APPLICATION_COMMAND_INVALID_NAME"
    _, refusal = await rest.call("PUT", address, [command(), command()])
    assert code_at(refusal, "1") == "APPLICATION_COMMANDS_DUPLICATE_NAME"
    assert (await rest.call("GET", address))[1] == []


async def test_a_hundred_commands_and_no_more(rest: RawBot) -> None:
    address = f"/applications/{rest.application}/commands"
    hundred = [command(name=f"c{n}") for n in range(100)]
    assert len(await rest.register(*hundred)) == 100
    assert (await rest.call("PUT", address, [*hundred, command()]))[1]["code"] == 50035
    assert (await rest.call("POST", address, command()))[1]["code"] == 30032
    assert (await rest.call("POST", address, command(name="c1")))[
        0
    ] == 200  # replaces the command of the same name


async def test_a_command_keeps_its_id_and_changes_its_version(rest: RawBot) -> None:
    address = f"/applications/{rest.application}/commands"
    (first,) = await rest.register(command())
    (same,) = await rest.register(command())
    assert same == first
    (changed,) = await rest.register(command(description="Go on"))
    assert changed["id"] == first["id"]
    assert changed["version"] != first["version"]
    status, edited = await rest.call("PATCH", f"{address}/{first['id']}", {"description": "Stop"})
    assert (status, edited["description"], edited["name"]) == (200, "Stop", "go")
    assert (await rest.call("GET", f"{address}/{first['id']}"))[1] == edited
    assert await rest.call("DELETE", f"{address}/{first['id']}") == (204, None)
    assert (await rest.call("GET", f"{address}/{first['id']}"))[1]["code"] == 10063


async def test_entry_point_stays_in_a_list_of_commands(rest: RawBot, ada: Player) -> None:
    """With Activities enabled a list without the Entry Point command is refused; it can be deleted alone."""
    address = f"/applications/{rest.application}/commands"
    await rest.register(command())
    rest.local.enable_activities()
    there = (await rest.call("GET", address))[1]
    (entry,) = (one for one in there if one["type"] == 4)
    status, refusal = await rest.call("PUT", address, [command()])
    assert (status, refusal["code"]) == (400, 50240)
    assert refusal["message"].startswith("You cannot remove this app's Entry Point command in a bulk update")
    assert (await rest.call("GET", address))[1] == there
    assert entry in await rest.register(command(description="Go on"), entry)
    assert [one["name"] for one in await ada.get("commands")] == ["go"]
    assert await rest.call("DELETE", f"{address}/{entry['id']}") == (204, None)
    assert len(await rest.register(command())) == 1


async def test_a_server_s_own_command_comes_first(rest: RawBot, ada: Player) -> None:
    await rest.register(command(), command(name="other"))
    in_guild = f"/applications/{rest.application}/guilds/{rest.guild}/commands"
    status, made = await rest.call("POST", in_guild, command(description="Go here"))
    assert (status, made["guild_id"]) == (201, rest.guild)
    seen = {one["name"]: one["description"] for one in await ada.get("commands")}
    assert seen == {"go": "Go here", "other": "Go"}


async def test_a_command_for_managers(rest: RawBot, ada: Player, grace: Player) -> None:
    """The owner sees every command. "0" means administrators only, and no value means everybody."""
    manage_guild, send_messages = str(1 << 5), str(1 << 11)
    who = {"all": None, "some": send_messages, "few": manage_guild, "none": "0"}
    await rest.register(*(command(name=name, default_member_permissions=who[name]) for name in who))
    assert [one["name"] for one in await ada.get("commands")] == ["all", "few", "none", "some"]
    assert [one["name"] for one in await grace.get("commands")] == ["all", "some"]
    with pytest.raises(Refused, match="no command 'few'"):
        await grace.command("few")


@pytest.mark.parametrize(
    ("path", "code"),
    [("/applications/1/commands", 10002), ("/applications/{application}/guilds/1/commands", 10004)],
)
async def test_commands_of_others_are_not_there(path: str, code: int, rest: RawBot) -> None:
    assert (await rest.call("GET", path.format(application=rest.application)))[1]["code"] == code
