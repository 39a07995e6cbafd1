"""Views of the world for one member."""

from bot.sandbox.json_types import Object
from bot.sandbox.services import Services
from bot.sandbox.world import objects
from bot.sandbox.world.message import Message
from bot.sandbox.world.world import World


def may_read(world: World, user_id: str, message: Message) -> bool:
    channel = world.channels.get(message.channel_id)
    return channel is not None and message.ephemeral_for in (None, user_id) and world.sees(user_id, channel)


def channel_for(world: World, channel: Object, user_id: str) -> Object:
    """Return a channel as a member sees it: the recipients of direct messages leave out the member."""
    match objects.context(channel):
        case objects.WITH_BOT:
            return channel | {"recipients": [world.bot]}
        case objects.AMONG_MEMBERS:
            return channel | {"recipients": [one for one in channel["recipients"] if one["id"] != user_id]}
    return channel


def application(services: Services) -> Object | None:
    """Return the application, or None if no bot has ever logged in."""
    if not services.world.bot_seen:
        return None
    return services.world.application | {"online": services.gateway.online}
