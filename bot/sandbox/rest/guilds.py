"""The server: its members, roles and channels."""

from bot.sandbox.errors import unknown_guild
from bot.sandbox.json_types import Object
from bot.sandbox.rest.wire import Answer, Call, Routes
from bot.sandbox.services import Services
from bot.sandbox.world import objects

routes = Routes()


def guild_of(services: Services, call: Call) -> Object:
    if call.params["guild_id"] != services.world.guild["id"] or not services.world.bot_is_in:
        raise unknown_guild()
    return services.world.guild


@routes("GET", "/guilds/{guild_id}")
def guild(services: Services, call: Call) -> Answer:
    found = guild_of(services, call)
    if call.query.get("with_counts") == "true":
        count = len(services.world.users)
        found = found | {"approximate_member_count": count, "approximate_presence_count": count}
    return Answer(200, found)


@routes("GET", "/guilds/{guild_id}/roles")
def roles(services: Services, call: Call) -> Answer:
    return Answer(200, guild_of(services, call)["roles"])


@routes("GET", "/guilds/{guild_id}/channels")
def channels(services: Services, call: Call) -> Answer:
    guild_of(services, call)
    return Answer(200, [one for one in services.world.channels.values() if one["type"] == objects.TEXT])


@routes("GET", "/guilds/{guild_id}/members")
def members(services: Services, call: Call) -> Answer:
    guild_of(services, call)
    after = call.id("after") or 0
    found = [id_ for id_ in sorted(services.world.users, key=int) if int(id_) > after]
    return Answer(200, [services.world.member(id_) for id_ in found[: call.number("limit", 1, 1000)]])


@routes("GET", "/guilds/{guild_id}/members/search")
def search(services: Services, call: Call) -> Answer:
    guild_of(services, call)
    query = call.query.get("query", "").lower()
    found = [
        user["id"]
        for user in services.world.users.values()
        if user["username"].lower().startswith(query) or (user["global_name"] or "").lower().startswith(query)
    ]
    return Answer(200, [services.world.member(id_) for id_ in found[: call.number("limit", 1, 1000)]])


@routes("GET", "/guilds/{guild_id}/members/{user_id}")
def member(services: Services, call: Call) -> Answer:
    guild_of(services, call)
    return Answer(200, services.world.member(call.params["user_id"]))


@routes("GET", "/guilds/{guild_id}/threads/active")
def threads(services: Services, call: Call) -> Answer:
    guild_of(services, call)
    world = services.world
    bot = world.bot["id"]
    found = [
        one
        for one in world.channels.values()
        if one["type"] in objects.THREADS and not one["thread_metadata"]["archived"] and world.sees(bot, one)
    ]
    joined = [one for thread in found for one in world.thread_members[thread["id"]] if one["user_id"] == bot]
    return Answer(200, {"threads": found, "members": joined, "has_more": False})
