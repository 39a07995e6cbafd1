"""Members who leave the server, return, or delete their account."""

from bot.sandbox.errors import Refused
from bot.sandbox.world import objects
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


def delete_account(world: World, user_id: str) -> None:
    """Delete a member's account for good. They leave their server and nobody can act as them. Raises Refused."""
    user = world.users[user_id]
    if world.is_in(user_id, world.home(user_id)["id"]):
        move_member(world, user_id, there=False)
    with world.store.transaction():
        world.uninstall(user_id)
        objects.delete_account(user)
        world.store.save("user", user_id, user)
