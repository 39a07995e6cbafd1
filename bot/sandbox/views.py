"""What a member sees of the world."""

from . import objects
from .forms import Object
from .message import Message
from .services import Services
from .world import World


def may_read(world: World, user_id: str, message: Message) -> bool:
    channel = world.channels.get(message.channel_id)
    return channel is not None and message.ephemeral_for in (None, user_id) and world.sees(user_id, channel)


def channel_for(world: World, channel: Object) -> Object:
    """A channel as a member sees it: the other side of a direct message is the bot."""
    return channel | {"recipients": [world.bot]} if channel["type"] == objects.DM else channel


def application(services: Services) -> Object | None:
    """The application, None as long as no bot has ever logged in."""
    if not services.world.bot_seen:
        return None
    return services.world.application | {"online": services.gateway.online}
