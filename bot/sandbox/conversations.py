"""Direct messages among members, in which the bot is not."""

from collections.abc import Sequence

from . import objects
from .acting import Refused
from .events import ChannelMade
from .forms import Object
from .world import World

MOST = 10
"""Members of a group."""


def open_among(world: World, people: Sequence[str], name: str | None = None) -> Object:
    """The direct messages between two members, or a new group of more, which may have a name. Raises Refused."""
    if len(set(people)) < len(people) or len(people) > MOST:
        raise Refused(f"A group has up to {MOST} different members.")
    if len(people) == 2:
        for channel in world.channels.values():
            if channel["type"] == objects.DM and {one["id"] for one in channel["recipients"]} == set(people):
                return channel
    users = [world.users[one] for one in people]
    id_ = world.new_id()
    made = objects.dm(id_, users) if len(users) == 2 else objects.group(id_, users, name)
    world.put_channel(made)
    world.publish(ChannelMade(made))
    return made
