"""The registration of global commands and of commands of a server."""

from typing import Any

import pytest

from tests.contract.player import Player, Refused
from tests.sandbox.checks.test_limits import code_at
from tests.sandbox.raw_bot import Json, RawBot


def command(**more: Any) -> Json:
    return {"name": "go", "description": "Go", **more}


async def test_list_names_the_wrong_command(rest: RawBot) -> None:
    address = f"/applications/{rest.application}/commands"
    _, refusal = await rest.call("PUT", address, [command(), command(name="NO")])
    assert code_at(refusal, "1.name") == "APPLICATION_COMMAND_INVALID_NAME"
    _, refusal = await rest.call("PUT", address, [command(), command()])
    assert code_at(refusal, "1") == "APPLICATION_COMMANDS_DUPLICATE_NAME"
    assert (await rest.call("GET", address))[1] == []


async def test_number_of_commands_is_limited(rest: RawBot) -> None:
    address = f"/applications/{rest.application}/commands"
    hundred = [command(name=f"c{n}") for n in range(100)]
    assert len(await rest.register(*hundred)) == 100
    assert (await rest.call("PUT", address, [*hundred, command()]))[1]["code"] == 50035
    assert (await rest.call("POST", address, command()))[1]["code"] == 30032
    menu = [command(type=2, name=f"Menu {n}", description="") for n in range(16)]
    assert (await rest.call("PUT", address, menu))[1]["code"] == 50035
    assert (await rest.call("POST", address, command(name="c1")))[
        0
    ] == 200  # replaces the command of the same name


async def test_command_keeps_its_id_and_changes_its_version(rest: RawBot) -> None:
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


async def test_command_of_the_server_hides_the_global_one(rest: RawBot, ada: Player) -> None:
    await rest.register(command(), command(name="other"))
    in_guild = f"/applications/{rest.application}/guilds/{rest.guild}/commands"
    status, made = await rest.call("POST", in_guild, command(description="Go here"))
    assert (status, made["guild_id"]) == (201, rest.guild)
    seen = {one["name"]: one["description"] for one in await ada.get("commands")}
    assert seen == {"go": "Go here", "other": "Go"}


async def test_command_for_managers(rest: RawBot, ada: Player, grace: Player) -> None:
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
async def test_unknown_application_or_server_has_no_commands(path: str, code: int, rest: RawBot) -> None:
    assert (await rest.call("GET", path.format(application=rest.application)))[1]["code"] == code
