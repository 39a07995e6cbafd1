"""The application: its gateway, account, commands, emojis and direct messages."""

import base64
import binascii
import re
from typing import Any

from bot.sandbox import errors
from bot.sandbox.checks.commands import ENTRY_POINT, MOST_COMMANDS, command
from bot.sandbox.checks.fields import Field, Problems, checked, id_text, many, text
from bot.sandbox.checks.media import picture_size
from bot.sandbox.json_types import Object, Path
from bot.sandbox.rest.guilds import guild_of
from bot.sandbox.rest.wire import NO_CONTENT, Call, Response, Routes
from bot.sandbox.services import Services
from bot.sandbox.world.events import CommandsChanged
from bot.sandbox.world.people import open_with_bot, with_bot

routes = Routes()


@routes("GET", "/gateway/bot")
def gateway(services: Services, call: Call) -> Response:
    url, starts = services.world.address.replace("http", "ws", 1), services.gateway.starts
    return Response(
        200, {"url": url, "shards": services.gateway.shards, "session_start_limit": starts.limit()}
    )


@routes("GET", "/applications/@me", "/oauth2/applications/@me")
def application(services: Services, call: Call) -> Response:
    return Response(200, services.world.application)


@routes("POST", "/oauth2/token", token=False)
def token(services: Services, call: Call) -> Response:
    return Response(200, services.activities.exchange(call.fields()))


@routes("GET", "/applications/{application_id}/activity-instances/{instance_id}")
def activity_instance(services: Services, call: Call) -> Response:
    _check_application(services, call)
    return Response(200, services.activities.instance(call.params["instance_id"]))


@routes("GET", "/users/@me", bearer=True)
def me(services: Services, call: Call) -> Response:
    private = {"mfa_enabled": False, "locale": "en-US", "premium_type": 0, "email": None, "verified": True}
    return Response(200, (call.user or services.world.bot) | private)


@routes("GET", "/users/@me/guilds")
def my_guilds(services: Services, call: Call) -> Response:
    world, after, before = services.world, call.id("after") or 0, call.id("before") or 1 << 64
    mine = [id_ for id_ in world.guilds if world.bot_is_in(id_) and after < int(id_) < before]
    shown = mine[: call.number("limit", 200, 200)]
    return Response(200, [_my_guild(world.guilds[id_]) for id_ in shown])


def _my_guild(guild: Object) -> Object:
    about = {name: guild[name] for name in ("id", "name", "icon", "banner", "features")}
    return about | {"owner": False, "permissions": guild["roles"][1]["permissions"]}


@routes("GET", "/users/{user_id}")
def user(services: Services, call: Call) -> Response:
    found = services.world.users.get(call.params["user_id"])
    if found is None:
        raise errors.unknown_user()
    return Response(200, found)


@routes("POST", "/users/@me/channels")
def direct_channel(services: Services, call: Call) -> Response:
    other = checked(call.body, {"recipient_id": Field(id_text, required=True)})["recipient_id"]
    limit = services.new_direct_messages
    if with_bot(services.world, other) is None:
        if limit.refused > limit.most:
            raise errors.quarantined()
        if limit.wait() is not None:
            raise errors.opens_too_fast()
    return Response(200, open_with_bot(services.world, other))


EVERYWHERE = "/applications/{application_id}/commands"
IN_GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"
ONE, ONE_IN_GUILD = EVERYWHERE + "/{command_id}", IN_GUILD + "/{command_id}"


@routes("GET", EVERYWHERE, IN_GUILD)
def commands(services: Services, call: Call) -> Response:
    return Response(200, _there(services, call))


@routes("PUT", EVERYWHERE, IN_GUILD)
def replace(services: Services, call: Call) -> Response:
    """Replace all commands. A command with the name and type of an earlier command keeps the earlier id."""
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
    return Response(200, made)


@routes("POST", EVERYWHERE, IN_GUILD)
def create(services: Services, call: Call) -> Response:
    wanted = _read(call.body)
    there = _there(services, call)
    old = next((one for one in there if (one["type"], one["name"]) == (wanted["type"], wanted["name"])), None)
    most = MOST_COMMANDS[wanted["type"]]
    if old is None and sum(one["type"] == wanted["type"] for one in there) >= most:
        raise errors.too_many_commands(most)
    made = _made(services, call, wanted, old)
    services.world.put_commands([], [made])
    services.world.publish(CommandsChanged())
    return Response(201 if old is None else 200, made)


@routes("GET", ONE, ONE_IN_GUILD)
def one(services: Services, call: Call) -> Response:
    return Response(200, _command(services, call))


@routes("PATCH", ONE, ONE_IN_GUILD)
def edit(services: Services, call: Call) -> Response:
    old = _command(services, call)
    made = _made(services, call, _read(old | call.fields()), old)
    services.world.put_commands([], [made])
    services.world.publish(CommandsChanged())
    return Response(200, made)


@routes("DELETE", ONE, ONE_IN_GUILD)
def delete(services: Services, call: Call) -> Response:
    services.world.put_commands([_command(services, call)["id"]], [])
    services.world.publish(CommandsChanged())
    return NO_CONTENT


def _read(body: Any) -> Object:
    problems = Problems()
    found = command(problems, (), body)
    problems.raise_any()
    return found


def _there(services: Services, call: Call) -> list[Object]:
    """Return the global commands, or the commands of the server in the path."""
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


ALL = "/applications/{application_id}/emojis"

LARGEST_EMOJI = 256 * 1024
"""Bytes."""
_DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,(?P<data>.*)", re.DOTALL)


@routes("GET", ALL)
def emojis(services: Services, call: Call) -> Response:
    _check_application(services, call)
    return Response(200, {"items": [body for _, body in services.world.store.all("emoji")]})


@routes("POST", ALL)
def create_emoji(services: Services, call: Call) -> Response:
    _check_application(services, call)
    fields = {"name": Field(_name, required=True), "image": Field(_image, required=True)}
    wanted = checked(call.body, fields)
    world = services.world
    emoji: Object = {
        "id": world.new_id(),
        "name": wanted["name"],
        "user": world.bot,
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }
    world.store.save("emoji", emoji["id"], emoji)
    world.store.save_file(emoji["id"], wanted["image"])
    return Response(201, emoji)


def _check_application(services: Services, call: Call) -> None:
    if call.params["application_id"] != services.world.application["id"]:
        raise errors.unknown_application()


def _name(problems: Problems, path: Path, value: Any) -> str:
    name: str = text(2, 32)(problems, path, value)
    if not re.fullmatch(r"\w*", name, re.ASCII):
        problems.add(path, "STRING_TYPE_REGEX", "String value did not match validation regex.")
    return name


def _image(problems: Problems, path: Path, value: Any) -> bytes:
    """Return the bytes of a picture in a data URI."""
    found = _DATA.fullmatch(value) if isinstance(value, str) else None
    try:
        image = base64.b64decode(found["data"], validate=True) if found else b""
    except binascii.Error:
        image = b""
    if picture_size(image) is None:
        problems.add(path, "IMAGE_INVALID", "Invalid image data")
    elif len(image) > LARGEST_EMOJI:
        problems.add(path, "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    return image
