"""Archived and locked threads: what they refuse, and their archiving after inactivity."""

from datetime import datetime

from bot.sandbox.errors import send_to_locked_thread, thread_archived, thread_locked
from bot.sandbox.json_types import Object
from bot.sandbox.world import objects
from bot.sandbox.world.clock import made_at
from bot.sandbox.world.events import ChannelChanged
from bot.sandbox.world.world import World

ARCHIVE_INTERVAL = 60.0
"""Seconds between two searches for inactive threads."""


def change(world: World, thread: Object, **about: object) -> None:
    """Change metadata of a thread: `archived`, `locked` or `auto_archive_duration`."""
    if about.keys() - {"locked"}:
        about["archive_timestamp"] = world.now()
    thread["thread_metadata"] |= about
    world.put_channel(thread)
    world.publish(ChannelChanged(thread))


def is_closed_to(world: World, user_id: str, channel: Object) -> bool:
    """Return whether a channel is a locked thread, archived or not, in which a user may not write."""
    locked = channel.get("thread_metadata", {}).get("locked", False)
    return locked and not world.moderates(user_id, channel)


def check_active(channel: Object) -> None:
    """Raise DiscordError 50083 for an archived thread, in which nothing can be changed or deleted."""
    if channel.get("thread_metadata", {}).get("archived"):
        raise thread_archived()


def check_open(world: World, user_id: str, channel: Object) -> None:
    """Raise DiscordError 50083 for an archived thread, or 160005 for a thread that is locked for the user."""
    check_active(channel)
    if is_closed_to(world, user_id, channel):
        raise thread_locked()


def open_for_message(world: World, user_id: str, channel: Object) -> None:
    """Unarchive an archived thread before a message. Raises DiscordError 50083 for a locked thread."""
    if is_closed_to(world, user_id, channel):
        raise send_to_locked_thread()
    if channel.get("thread_metadata", {}).get("archived"):
        change(world, channel, archived=False)


def archive_inactive(world: World) -> None:
    """Archive each thread that had no message and no change of its metadata for its own duration."""
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
        await world.clock.sleep(ARCHIVE_INTERVAL)
        archive_inactive(world)
