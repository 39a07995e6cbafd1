"""The commands that members use, with the checks of Discord's client."""

from typing import Any

from bot.sandbox.checks import commands as kinds
from bot.sandbox.errors import Refused
from bot.sandbox.gateway import payloads
from bot.sandbox.json_types import Object
from bot.sandbox.world import objects
from bot.sandbox.world.people import has_channel, has_role, has_user
from bot.sandbox.world.world import World


def commands_in(world: World, user_id: str, channel: Object) -> list[Object]:
    """Return the commands that a member may use in a channel.

    A command of the server hides the global one of the same type and name. A command with default permissions needs
    all of them. Each command must allow this kind of channel and be installed, by the server or by the member.
    """
    known = _known(world, user_id, channel)
    return [one for one in known if _meant_for(channel, one) and _installed(world, user_id, channel, one)]


def _known(world: World, user_id: str, channel: Object) -> list[Object]:
    here = (None, channel.get("guild_id"))
    found: dict[tuple[int, str], Object] = {}
    for command in sorted(world.commands.values(), key=lambda one: "guild_id" in one):
        # Members open an Activity in other ways than by typing a command.
        if command.get("guild_id") in here and command["type"] != kinds.ENTRY_POINT:
            found[command["type"], command["name"]] = command
    usable = [one for one in found.values() if _usable(world, user_id, channel, one)]
    return sorted(usable, key=lambda one: one["name"])


def _usable(world: World, user_id: str, channel: Object, command: Object) -> bool:
    guild = world.guild_of(channel) if "guild_id" in channel else world.home(user_id)
    needed = command.get("default_member_permissions")
    if needed is None or user_id == guild["owner_id"]:
        return True
    # "0" means administrators only.
    return int(needed) > 0 and not int(needed) & ~world.role_permissions(user_id, guild)


def _meant_for(channel: Object, command: Object) -> bool:
    contexts = command.get("contexts")
    if contexts is None:
        anywhere = "guild_id" not in command and command.get("dm_permission", True)
        contexts = (objects.IN_GUILD, *((objects.WITH_BOT, objects.AMONG_MEMBERS) if anywhere else ()))
    return objects.context(channel) in contexts


def _installed(world: World, user_id: str, channel: Object, command: Object) -> bool:
    by_guild, by_user = (kind in command.get("integration_types", [0]) for kind in (0, 1))
    match objects.context(channel):
        case objects.IN_GUILD:
            bot_is_there = world.bot_is_in(channel["guild_id"])
        case where:
            bot_is_there = where == objects.WITH_BOT
    return (by_guild and bot_is_there) or (by_user and user_id in world.installed)


def command_data(world: World, channel: Object, asked: Object, *, focused: str | None = None) -> Object:
    """Return the `data` of a command's interaction.

    `asked` is the body of the member's call: `as`, `name`, `type`, `subcommand`, `options` and `target`. `focused` is
    the name of the option of an autocomplete, whose options may be incomplete. Raises Refused.
    """
    kind, name = asked.get("type", kinds.CHAT_INPUT), asked.get("name")
    member = str(asked.get("as"))
    command = next(
        (one for one in _known(world, member, channel) if (one["type"], one["name"]) == (kind, name)), None
    )
    if command is None:
        raise Refused(f"There is no command {name!r} of this type.", 404)
    if not _meant_for(channel, command):
        direct = objects.context(channel) != objects.IN_GUILD
        raise Refused(f"/{name} cannot be used in {'direct messages' if direct else 'a server'}.")
    if not _installed(world, member, channel, command):
        raise Refused(f"/{name} is not there: install the application for yourself first.")
    data: Object = {"id": command["id"], "name": name, "type": kind}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    ids: dict[str, list[str]] = {}
    if kind == kinds.CHAT_INPUT:
        data["options"] = _options(world, channel, command, asked, focused, ids)
    else:
        target = str(asked.get("target"))
        is_user = kind == kinds.USER
        if not (has_user(world, channel, target) if is_user else target in world.messages[channel["id"]]):
            raise Refused("The command needs a target, the id of a user or of a message in this channel.")
        data["target_id"] = target
        ids["users" if is_user else "messages"] = [target]
    if found := payloads.resolved(world, channel, ids):
        data["resolved"] = found
    return data


def _options(
    world: World,
    channel: Object,
    command: Object,
    asked: Object,
    focused: str | None,
    ids: dict[str, list[str]],
) -> list[Object]:
    path = str(asked.get("subcommand") or "").split()
    leaf, steps = command, []
    for step in path:
        found = next(
            (one for one in leaf.get("options", []) if one["type"] in (1, 2) and one["name"] == step), None
        )
        if found is None:
            raise Refused(f"/{command['name']} has no subcommand {' '.join(path)!r}.")
        leaf = found
        steps.append(found)
    specs = leaf.get("options", [])
    if any(one["type"] in (1, 2) for one in specs):
        raise Refused(f"Choose a subcommand: {', '.join(one['name'] for one in specs)}.")
    given = asked.get("options") or {}
    if not isinstance(given, dict):
        raise Refused('"options" must be an object of option names and values.')
    known = [one["name"] for one in specs]
    for name in [*given, *([focused] if focused is not None else [])]:
        if name not in known:
            raise Refused(f"/{command['name']} has no option {name!r}; it has: {', '.join(known) or 'none'}.")
    values = []
    for spec in specs:
        if spec["name"] == focused:
            partial = str(given.get(focused, ""))
            values.append({"name": focused, "type": spec["type"], "value": partial, "focused": True})
        elif given.get(spec["name"]) is not None:
            value = _value(
                world, channel, asked.get("as"), spec, given[spec["name"]], ids, complete=focused is None
            )
            values.append({"name": spec["name"], "type": spec["type"], "value": value})
        elif spec.get("required") and focused is None:
            raise Refused(f"The option {spec['name']!r} is required.")
    for step in reversed(steps):
        values = [{"name": step["name"], "type": step["type"], "options": values}]
    return values


def _value(
    world: World, channel: Object, member: Any, spec: Object, value: Any, ids: dict[str, list[str]], *,
    complete: bool,
) -> Any:  # fmt: skip
    """Check the value of an option against the limits of the command, and return the value."""
    name, kind = spec["name"], spec["type"]
    if spec.get("choices") and value not in [choice["value"] for choice in spec["choices"]]:
        raise Refused(
            f"{name!r} must be one of the choices: {', '.join(one['name'] for one in spec['choices'])}."
        )
    match kind:
        case kinds.STRING:
            least, most = spec.get("min_length", 0), spec.get("max_length", 6000)
            if not isinstance(value, str) or (complete and not least <= len(value) <= most):
                raise Refused(f"{name!r} must be a text of {least} to {most} characters.")
        case kinds.INTEGER | kinds.NUMBER:
            whole = kind == kinds.INTEGER
            least, most = spec.get("min_value", -(2**53)), spec.get("max_value", 2**53)
            number = isinstance(value, int) or (isinstance(value, float) and not whole)
            if not number or isinstance(value, bool) or not least <= value <= most:
                raise Refused(f"{name!r} must be a {'whole ' * whole}number from {least} to {most}.")
        case kinds.BOOLEAN:
            if not isinstance(value, bool):
                raise Refused(f"{name!r} must be true or false.")
        case kinds.ATTACHMENT:
            if world.uploads.get(str(value), {}).get("member") != member:
                raise Refused(f"{name!r} takes a file: the id of one that you have uploaded.")
            ids.setdefault("attachments", []).append(str(value))
            return str(value)
        case _:
            return _entity(world, channel, spec, str(value), ids)
    return value


def _entity(world: World, channel: Object, spec: Object, id_: str, ids: dict[str, list[str]]) -> str:
    """Add the id of a user, channel or role to the `ids` to resolve, and return the id."""
    kind = spec["type"]
    if kind in (kinds.USER_OPTION, kinds.MENTIONABLE) and has_user(world, channel, id_):
        ids.setdefault("users", []).append(id_)
    elif kind in (kinds.ROLE, kinds.MENTIONABLE) and has_role(world, channel, id_):
        ids.setdefault("roles", []).append(id_)
    elif kind == kinds.CHANNEL and has_channel(world, channel, id_, spec.get("channel_types")):
        ids.setdefault("channels", []).append(id_)
    else:
        raise Refused(f"{spec['name']!r} does not take {id_}.")
    return id_
