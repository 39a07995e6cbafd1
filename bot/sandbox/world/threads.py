"""Archived and locked threads: what is refused there, and when Discord archives a thread by itself."""

from datetime import datetime

from bot.sandbox.errors import send_to_locked_thread, thread_archived, thread_locked
from bot.sandbox.json_types import Object
from bot.sandbox.world import objects
from bot.sandbox.world.clock import made_at
from bot.sandbox.world.events import ChannelChanged
from bot.sandbox.world.permissions import bit
from bot.sandbox.world.world import World

LOOKED_EVERY = 60.0
"""Seconds between two searches for inactive threads."""


def change(world: World, thread: Object, **about: object) -> None:
    """Change metadata of a thread: `archived`, `locked` or `auto_archive_duration`."""
    if about.keys() - {"locked"}:
        about["archive_timestamp"] = world.now()
    thread["thread_metadata"] |= about
    world.put_channel(thread)
    world.publish(ChannelChanged(thread))


def moderates(world: World, user_id: str, thread: Object) -> bool:
    """True if a user has the permission Manage Threads."""
    return bool(world.permissions(user_id, thread) & bit("manage_threads"))


def is_closed_to(world: World, user_id: str, channel: Object) -> bool:
    """True if a channel is a locked thread, archived or not, in which a user may not write."""
    locked = channel.get("thread_metadata", {}).get("locked", False)
    return locked and not moderates(world, user_id, channel)


def check_active(channel: Object) -> None:
    """Raise DiscordError 50083 if a channel is an archived thread: nothing in it can be changed or deleted."""
    if channel.get("thread_metadata", {}).get("archived"):
        raise thread_archived()


def check_open(world: World, user_id: str, channel: Object) -> None:
    """Raise DiscordError 50083 or 160005 if a channel is an archived thread, or one that is locked for a user."""
    check_active(channel)
    if is_closed_to(world, user_id, channel):
        raise thread_locked()


def open_for_message(world: World, user_id: str, channel: Object) -> None:
    """Unarchive a channel, if it is an archived thread, for a message. Raises DiscordError 50083 in a locked thread."""
    if is_closed_to(world, user_id, channel):
        raise send_to_locked_thread()
    if channel.get("thread_metadata", {}).get("archived"):
        change(world, channel, archived=False)


def archive_inactive(world: World) -> None:
    """Archive the threads without a message, and without a change of their metadata, for as long as each one says."""
    now = world.clock.time()
    for thread in [one for one in world.channels.values() if one["type"] in objects.THREADS]:
        metadata = thread["thread_metadata"]
        since = max(
            datetime.fromisoformat(metadata["archive_timestamp"]).timestamp(),
            made_at(thread["last_message_id"] or thread["id"]),
        )
        if not metadata["archived"] and now - since >= 60 * metadata["auto_archive_duration"]:
            change(world, thread, archived=True)


async def keep_archiving(world: World) -> None:
    """Archive inactive threads until the task is cancelled."""
    while True:
        await world.clock.sleep(LOOKED_EVERY)
        archive_inactive(world)
