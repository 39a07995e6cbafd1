"""Channels of direct messages, between the bot and a member or among members."""

from collections.abc import Sequence

from bot.sandbox.errors import Refused, unknown_user
from bot.sandbox.json_types import Object
from bot.sandbox.world import objects
from bot.sandbox.world.events import ChannelMade
from bot.sandbox.world.world import World

MOST = 10
"""The largest number of members in a group."""


def open_with_bot(world: World, user_id: str) -> Object:
    """Return the channel between the bot and a member, and create it if it is missing. Raises DiscordError 10013."""
    found = with_bot(world, user_id)
    if found is not None:
        return found
    other = world.users.get(user_id)
    if other is None or other.get("bot"):
        raise unknown_user()
    made = objects.dm(world.new_id(), [other])
    world.put_channel(made)
    world.publish(ChannelMade(made))
    return made


def with_bot(world: World, user_id: str) -> Object | None:
    """Return the channel between the bot and a member, or None if it is missing."""
    channels = (it for it in world.channels.values() if objects.context(it) == objects.WITH_BOT)
    return next((it for it in channels if it["recipients"][0]["id"] == user_id), None)


def open_among(world: World, people: Sequence[str], name: str | None = None) -> Object:
    """Return the channel between two members, or a new group of more, which may have a name. Raises Refused."""
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
