"""The commands of an application, global ones and those of the server."""

from typing import Any

from bot.sandbox import errors
from bot.sandbox.checks.commands import ENTRY_POINT, MOST_COMMANDS, command
from bot.sandbox.checks.fields import Problems, many
from bot.sandbox.json_types import Object
from bot.sandbox.rest.guilds import guild_of
from bot.sandbox.rest.wire import NO_CONTENT, Answer, Call, Routes
from bot.sandbox.services import Services
from bot.sandbox.world.events import CommandsChanged

routes = Routes()
EVERYWHERE = "/applications/{application_id}/commands"
IN_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"
ONE, ONE_IN_GUILD = EVERYWHERE + "/{command_id}", IN_GUILD + "/{command_id}"


@routes("GET", EVERYWHERE, IN_GUILD)
def listed(services: Services, call: Call) -> Answer:
    return Answer(200, _there(services, call))


@routes("PUT", EVERYWHERE, IN_GUILD)
def replace(services: Services, call: Call) -> Answer:
    """Replace all commands. A command that keeps its name and type keeps its id."""
    problems = Problems()
    wanted: list[Object] = many(command)(problems, (), [] if call.body is None else call.body)
    for kind, most in MOST_COMMANDS.items():
        if sum(one.get("type") == kind for one in wanted) > most:
            problems.add((), "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer commands of type {kind}.")
    keys = [(one.get("type"), one.get("name")) for one in wanted]
    for place, key in enumerate(keys):
        if keys.index(key) < place:
            problems.add(
                (place,), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
    problems.raise_any()
    old = {(one["type"], one["name"]): one for one in _there(services, call)}
    if any(kind == ENTRY_POINT for kind, _ in old) and not any(one["type"] == ENTRY_POINT for one in wanted):
        raise errors.entry_point_left_out()
    made = [_made(services, call, one, old.pop((one["type"], one["name"]), None)) for one in wanted]
    services.world.put_commands([one["id"] for one in old.values()], made)
    services.world.publish(CommandsChanged())
    return Answer(200, made)


@routes("POST", EVERYWHERE, IN_GUILD)
def create(services: Services, call: Call) -> Answer:
    wanted = _read(call.body)
    there = _there(services, call)
    old = next((one for one in there if (one["type"], one["name"]) == (wanted["type"], wanted["name"])), None)
    most = MOST_COMMANDS[wanted["type"]]
    if old is None and sum(one["type"] == wanted["type"] for one in there) >= most:
        raise errors.too_many_commands(most)
    made = _made(services, call, wanted, old)
    services.world.put_commands([], [made])
    services.world.publish(CommandsChanged())
    return Answer(201 if old is None else 200, made)


@routes("GET", ONE, ONE_IN_GUILD)
def one(services: Services, call: Call) -> Answer:
    return Answer(200, _command(services, call))


@routes("PATCH", ONE, ONE_IN_GUILD)
def edit(services: Services, call: Call) -> Answer:
    old = _command(services, call)
    made = _made(services, call, _read(old | call.fields()), old)
    services.world.put_commands([], [made])
    services.world.publish(CommandsChanged())
    return Answer(200, made)


@routes("DELETE", ONE, ONE_IN_GUILD)
def delete(services: Services, call: Call) -> Answer:
    services.world.put_commands([_command(services, call)["id"]], [])
    services.world.publish(CommandsChanged())
    return NO_CONTENT


def _read(body: Any) -> Object:
    problems = Problems()
    found = command(problems, (), body)
    problems.raise_any()
    return found


def _there(services: Services, call: Call) -> list[Object]:
    """Return the commands that the path names: the global ones, or those of its server."""
    if call.params["application_id"] != services.world.application["id"]:
        raise errors.unknown_application()
    if "guild_id" in call.params:
        guild_of(services, call)
    wanted = call.params.get("guild_id")
    return [one for one in services.world.commands.values() if one.get("guild_id") == wanted]


def _command(services: Services, call: Call) -> Object:
    for there in _there(services, call):
        if there["id"] == call.params["command_id"]:
            return there
    raise errors.unknown_command()


def _made(services: Services, call: Call, wanted: Object, old: Object | None) -> Object:
    world = services.world
    made = {"id": old["id"] if old else world.new_id(), "application_id": world.application["id"]} | wanted
    if "guild_id" in call.params:
        made["guild_id"] = call.params["guild_id"]
        made.pop("dm_permission", None)
        made["contexts"] = None
    same = old is not None and {**old, "version": ""} == {**made, "version": ""}
    return made | {"version": old["version"] if same and old is not None else world.new_id()}
