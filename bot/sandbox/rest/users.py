"""The gateway's address, the application, users and direct messages."""

from bot.sandbox import objects
from bot.sandbox.errors import unknown_user
from bot.sandbox.events import ChannelMade
from bot.sandbox.forms import Field, Form, id_text, read
from bot.sandbox.services import Services

from .wire import Answer, Call, Routes

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
    form = Form()
    wanted = read(form, (), call.body, {"recipient_id": Field(id_text, required=True)})
    form.check()
    return Answer(200, open_direct(services, wanted["recipient_id"]))


def open_direct(services: Services, user_id: str) -> dict[str, object]:
    """The channel of direct messages between the bot and a member, made when it is not there yet."""
    world = services.world
    other = world.users.get(user_id)
    if other is None or other.get("bot"):
        raise unknown_user()
    for channel in world.channels.values():
        if objects.context(channel) == objects.WITH_BOT and channel["recipients"][0]["id"] == user_id:
            return channel
    made = objects.dm(world.new_id(), [other])
    world.put_channel(made)
    world.publish(ChannelMade(made))
    return made
