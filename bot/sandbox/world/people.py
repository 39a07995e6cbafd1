"""Members: who can be mentioned or chosen in a channel, who leaves, and their direct messages."""

from collections.abc import Sequence

from bot.sandbox.errors import Refused, unknown_user
from bot.sandbox.json_types import Object
from bot.sandbox.world import objects
from bot.sandbox.world.events import ChannelMade, MemberJoined, MemberLeft
from bot.sandbox.world.permissions import bit
from bot.sandbox.world.world import World


def everyone_in(world: World, channel: Object) -> list[Object]:
    """Return the users whom @everyone mentions: the members of the server or the recipients of direct messages."""
    people: list[Object] = channel.get("recipients", [])
    return world.members_of(channel["guild_id"]) if "guild_id" in channel else people


def having(
    world: World, channel: Object, roles: Sequence[str], *, but: Sequence[Object] = ()
) -> list[Object]:
    """Return the members of the channel's server who have one of these roles, without those in `but`."""
    if not roles:
        return []
    guild_id = channel["guild_id"]
    return [
        user
        for user in world.members_of(guild_id)
        if user not in but and set(roles) & set(world.member(guild_id, user["id"])["roles"])
    ]


def may_mention(world: World, channel: Object, role_id: str, held: int) -> bool:
    """Return whether a user with the permissions `held` may mention this role in a channel."""
    any_role = held & bit("mention_everyone")
    return any(role["id"] == role_id and (role["mentionable"] or any_role) for role in _roles(world, channel))


def has_user(world: World, channel: Object, id_: str) -> bool:
    """Return whether this user can be chosen: a member of the channel's server, or any user in direct messages."""
    if "guild_id" not in channel:
        return id_ in world.users
    return id_ == world.bot["id"] or world.is_in(id_, channel["guild_id"])


def has_role(world: World, channel: Object, id_: str) -> bool:
    """Return whether a role of the channel's server has this id."""
    return any(role["id"] == id_ for role in _roles(world, channel))


def has_channel(world: World, channel: Object, id_: str, types: Sequence[int] | None) -> bool:
    """Return whether a channel of the same server has this id, and one of `types` if there are any."""
    found = world.channels.get(id_, {})
    same = "guild_id" in found and found["guild_id"] == channel.get("guild_id")
    return same and (not types or found["type"] in types)


def _roles(world: World, channel: Object) -> list[Object]:
    found: list[Object] = world.guild_of(channel)["roles"] if "guild_id" in channel else []
    return found


def move_member(world: World, user_id: str, *, there: bool) -> None:
    """Make a member leave their server, or return to it if `there` is True. Raises Refused."""
    guild, user = world.home(user_id), world.users[user_id]
    if world.is_in(user_id, guild["id"]) == there:
        raise Refused("You are in the server already." if there else "You have left the server already.")
    if user_id == guild["owner_id"]:
        raise Refused("The owner of a server cannot leave it.")
    with world.store.transaction():
        world.admit_member(guild["id"], user_id, there=there)
    world.publish((MemberJoined if there else MemberLeft)(guild, user))


def delete_account(world: World, user_id: str) -> None:
    """Delete a member's account permanently. Raises Refused for the owner of a server."""
    user = world.users[user_id]
    if world.is_in(user_id, world.home(user_id)["id"]):
        move_member(world, user_id, there=False)
    with world.store.transaction():
        world.uninstall(user_id)
        objects.delete_account(user)
        world.store.save("user", user_id, user)


MOST_IN_GROUP = 10
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
    if len(set(people)) < len(people) or len(people) > MOST_IN_GROUP:
        raise Refused(f"A group has up to {MOST_IN_GROUP} different members.")
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
