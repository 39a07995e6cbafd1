"""Members, roles and channels that can be mentioned in a channel, or chosen there in a menu or an option."""

from collections.abc import Sequence

from bot.sandbox.json_types import Object
from bot.sandbox.world.permissions import bit
from bot.sandbox.world.world import World


def everyone_in(world: World, channel: Object) -> list[Object]:
    """Return all whom a mention of everyone means: the members of the server, or those in direct messages."""
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
    """True if somebody with the permissions `held` may mention this role in a channel."""
    any_role = held & bit("mention_everyone")
    return any(role["id"] == role_id and (role["mentionable"] or any_role) for role in _roles(world, channel))


def has_user(world: World, channel: Object, id_: str) -> bool:
    """True if this user can be chosen in a channel: somebody of its server, or anybody in direct messages."""
    if "guild_id" not in channel:
        return id_ in world.users
    return id_ == world.bot["id"] or world.is_in(id_, channel["guild_id"])


def has_role(world: World, channel: Object, id_: str) -> bool:
    """True if a role of the channel's server has this id."""
    return any(role["id"] == id_ for role in _roles(world, channel))


def has_channel(world: World, channel: Object, id_: str, types: Sequence[int] | None) -> bool:
    """True if a channel of the same server has this id, and one of `types` if there are any."""
    found = world.channels.get(id_, {})
    same = "guild_id" in found and found["guild_id"] == channel.get("guild_id")
    return same and (not types or found["type"] in types)


def _roles(world: World, channel: Object) -> list[Object]:
    found: list[Object] = world.guild_of(channel)["roles"] if "guild_id" in channel else []
    return found
