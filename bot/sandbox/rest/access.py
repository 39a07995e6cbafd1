"""The permissions of the bot in a channel, checked by the routes of channels."""

from bot.sandbox.errors import missing_access
from bot.sandbox.json_types import Object
from bot.sandbox.rest.wire import Call
from bot.sandbox.services import Services
from bot.sandbox.world import objects
from bot.sandbox.world.permissions import refusal


def channel_of(services: Services, call: Call, *needed: str) -> Object:
    """Return the channel that the path names, if the bot sees it and has the permissions `needed` there. Direct
    messages need no permission. Raises DiscordError: 10003, 50001, 50013."""
    world = services.world
    channel = world.channel(call.params["channel_id"])
    bot = world.bot["id"]
    if not world.sees(bot, channel):
        raise missing_access()
    with_bot = objects.context(channel) == objects.WITH_BOT
    if not with_bot and (no := refusal(world.permissions(bot, channel), *needed)):
        raise no
    return channel


def sending(channel: Object) -> str:
    """Return the permission that posting in this channel needs."""
    return "send_messages_in_threads" if channel["type"] in objects.THREADS else "send_messages"
