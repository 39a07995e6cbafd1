"""The gateway's address, the application, users and direct messages."""

from bot.sandbox.checks.fields import Field, Problems, id_text, read
from bot.sandbox.errors import opens_too_fast, unknown_user
from bot.sandbox.json_types import Object
from bot.sandbox.rest.wire import Answer, Call, Routes
from bot.sandbox.services import Services
from bot.sandbox.world.direct_messages import open_with_bot, with_bot

routes = Routes()


@routes("GET", "/gateway", token=False)
def gateway(services: Services, call: Call) -> Answer:
    return Answer(200, {"url": services.world.address.replace("http", "ws", 1)})


@routes("GET", "/gateway/bot")
def gateway_bot(services: Services, call: Call) -> Answer:
    url, starts = services.world.address.replace("http", "ws", 1), services.gateway.starts
    return Answer(200, {"url": url, "shards": services.gateway.shards, "session_start_limit": starts.limit()})


@routes("GET", "/applications/@me", "/oauth2/applications/@me")
def application(services: Services, call: Call) -> Answer:
    return Answer(200, services.world.application)


@routes("GET", "/users/@me")
def me(services: Services, call: Call) -> Answer:
    private = {"mfa_enabled": False, "locale": "en-US", "premium_type": 0, "email": None, "verified": True}
    return Answer(200, services.world.bot | private)


@routes("GET", "/users/@me/guilds")
def my_guilds(services: Services, call: Call) -> Answer:
    world, after, before = services.world, call.id("after") or 0, call.id("before") or 1 << 64
    mine = [id_ for id_ in world.guilds if world.bot_is_in(id_) and after < int(id_) < before]
    shown = mine[: call.number("limit", 200, 200)]
    return Answer(200, [_my_guild(world.guilds[id_]) for id_ in shown])


def _my_guild(guild: Object) -> Object:
    about = {name: guild[name] for name in ("id", "name", "icon", "banner", "features")}
    return about | {"owner": False, "permissions": guild["roles"][1]["permissions"]}


@routes("GET", "/users/{user_id}")
def user(services: Services, call: Call) -> Answer:
    found = services.world.users.get(call.params["user_id"])
    if found is None:
        raise unknown_user()
    return Answer(200, found)


@routes("POST", "/users/@me/channels")
def direct_channel(services: Services, call: Call) -> Answer:
    problems = Problems()
    wanted = read(problems, (), call.body, {"recipient_id": Field(id_text, required=True)})
    problems.raise_any()
    other = wanted["recipient_id"]
    if with_bot(services.world, other) is None and services.new_direct_messages.wait() is not None:
        raise opens_too_fast()
    return Answer(200, open_with_bot(services.world, other))
