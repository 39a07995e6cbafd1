"""The gateway's address, the application, users and direct messages."""

from bot.sandbox.checks.fields import Field, Problems, id_text, read
from bot.sandbox.errors import unknown_user
from bot.sandbox.rest.wire import Answer, Call, Routes
from bot.sandbox.services import Services
from bot.sandbox.world.direct_messages import open_with_bot

routes = Routes()


@routes("GET", "/gateway", token=False)
def gateway(services: Services, call: Call) -> Answer:
    return Answer(200, {"url": services.world.address.replace("http", "ws", 1)})


@routes("GET", "/gateway/bot")
def gateway_bot(services: Services, call: Call) -> Answer:
    limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    return Answer(
        200,
        {"url": services.world.address.replace("http", "ws", 1), "shards": 1, "session_start_limit": limit},
    )


@routes("GET", "/applications/@me", "/oauth2/applications/@me")
def application(services: Services, call: Call) -> Answer:
    return Answer(200, services.world.application)


@routes("GET", "/users/@me")
def me(services: Services, call: Call) -> Answer:
    private = {"mfa_enabled": False, "locale": "en-US", "premium_type": 0, "email": None, "verified": True}
    return Answer(200, services.world.bot | private)


@routes("GET", "/users/@me/guilds")
def my_guilds(services: Services, call: Call) -> Answer:
    guild = services.world.guild
    if not services.world.bot_is_in:
        return Answer(200, [])
    mine = {name: guild[name] for name in ("id", "name", "icon", "banner", "features")}
    return Answer(200, [mine | {"owner": False, "permissions": guild["roles"][1]["permissions"]}])


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
    return Answer(200, open_with_bot(services.world, wanted["recipient_id"]))
