"""Members who leave the server and return."""

from bot.sandbox.errors import Refused
from bot.sandbox.world.events import MemberJoined, MemberLeft
from bot.sandbox.world.world import World


def move_member(world: World, user_id: str, *, there: bool) -> None:
    """Let a member leave their server, or return to it. Raises Refused."""
    guild, user = world.home(user_id), world.users[user_id]
    if world.is_in(user_id, guild["id"]) == there:
        raise Refused("You are in the server already." if there else "You have left the server already.")
    if user_id == guild["owner_id"]:
        raise Refused("The owner of a server cannot leave it.")
    with world.store.transaction():
        world.admit_member(guild["id"], user_id, there=there)
    world.publish((MemberJoined if there else MemberLeft)(guild, user))
