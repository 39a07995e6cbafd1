"""A server: its members, roles and channels."""

from bot.sandbox.errors import missing_permissions, unknown_guild, unknown_role
from bot.sandbox.json_types import Object
from bot.sandbox.rest.wire import NO_CONTENT, Call, Response, Routes
from bot.sandbox.services import Services
from bot.sandbox.world import objects
from bot.sandbox.world.events import BotRemoved, CommandsChanged
from bot.sandbox.world.permissions import bit

routes = Routes()


def guild_of(services: Services, call: Call) -> Object:
    if not services.world.bot_is_in(call.params["guild_id"]):
        raise unknown_guild()
    return services.world.guilds[call.params["guild_id"]]


def _people(services: Services, call: Call) -> list[Object]:
    """Return the users of the server in the path, including the bot, ordered by id."""
    there = [services.world.bot, *services.world.members_of(guild_of(services, call)["id"])]
    return sorted(there, key=lambda user: int(user["id"]))


@routes("GET", "/guilds/{guild_id}")
def guild(services: Services, call: Call) -> Response:
    found = guild_of(services, call)
    if call.query.get("with_counts") == "true":
        count = len(_people(services, call))
        found = found | {"approximate_member_count": count, "approximate_presence_count": count}
    return Response(200, found)


@routes("DELETE", "/users/@me/guilds/{guild_id}")
def leave(services: Services, call: Call) -> Response:
    """Remove the bot from a server."""
    guild = guild_of(services, call)
    services.world.admit(guild["id"], bot=False)
    services.world.publish(BotRemoved(guild))
    services.world.publish(CommandsChanged())
    return NO_CONTENT


@routes("GET", "/guilds/{guild_id}/roles")
def roles(services: Services, call: Call) -> Response:
    return Response(200, guild_of(services, call)["roles"])


@routes("GET", "/guilds/{guild_id}/channels")
def channels(services: Services, call: Call) -> Response:
    id_ = guild_of(services, call)["id"]
    there = services.world.channels_of(id_)
    return Response(200, [one for one in there if one["type"] not in objects.THREADS])


@routes("GET", "/guilds/{guild_id}/members")
def members(services: Services, call: Call) -> Response:
    after = call.id("after") or 0
    found = [user for user in _people(services, call) if int(user["id"]) > after]
    shown = found[: call.number("limit", 1, 1000)]
    return Response(200, [services.world.member(call.params["guild_id"], user["id"]) for user in shown])


@routes("GET", "/guilds/{guild_id}/members/{user_id}")
def member(services: Services, call: Call) -> Response:
    return Response(200, services.world.member(guild_of(services, call)["id"], call.params["user_id"]))


@routes("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def give_role(services: Services, call: Call) -> Response:
    given = _given_roles(services, call)
    if call.params["role_id"] not in given:
        given.append(call.params["role_id"])
    return NO_CONTENT


@routes("DELETE", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def take_role(services: Services, call: Call) -> Response:
    given = _given_roles(services, call)
    if call.params["role_id"] in given:
        given.remove(call.params["role_id"])
    return NO_CONTENT


def _given_roles(services: Services, call: Call) -> list[str]:
    """Return the roles that the bot has given a member, if it may give the role in the path.

    Raises DiscordError 10007, 10011, or 50013 for a role that is not below the bot's own.
    """
    guild, world = guild_of(services, call), services.world
    world.member(guild["id"], call.params["user_id"])
    role = next((it for it in guild["roles"] if it["id"] == call.params["role_id"]), None)
    if role is None:
        raise unknown_role()
    own = guild["roles"][1]
    if not int(own["permissions"]) & bit("manage_roles") or role["position"] >= own["position"]:
        raise missing_permissions()
    return world.given_roles.setdefault((guild["id"], call.params["user_id"]), [])


@routes("GET", "/guilds/{guild_id}/threads/active")
def threads(services: Services, call: Call) -> Response:
    world, id_ = services.world, guild_of(services, call)["id"]
    bot = world.bot["id"]
    found = [
        one
        for one in world.channels.values()
        if one["type"] in objects.THREADS
        and one["guild_id"] == id_
        and not one["thread_metadata"]["archived"]
        and world.sees(bot, one)
    ]
    joined = [one for thread in found for one in world.thread_members[thread["id"]] if one["user_id"] == bot]
    return Response(200, {"threads": found, "members": joined, "has_more": False})
