"""Channels, threads included, and typing in them."""

from bot.sandbox.checks.fields import Field, Problems, flag, integer, one_of, read, text
from bot.sandbox.errors import wrong_channel_type
from bot.sandbox.json_types import Object
from bot.sandbox.rest.access import channel_of
from bot.sandbox.rest.wire import NO_CONTENT, Answer, Call, Routes
from bot.sandbox.services import Services
from bot.sandbox.world import objects, threads
from bot.sandbox.world.events import ChannelChanged, ChannelGone, Typing

routes = Routes()
METADATA = ("archived", "locked", "auto_archive_duration")


@routes("GET", "/channels/{channel_id}")
def channel(services: Services, call: Call) -> Answer:
    return Answer(200, channel_of(services, call))


@routes("PATCH", "/channels/{channel_id}")
def edit(services: Services, call: Call) -> Answer:
    found = channel_of(services, call)
    problems = Problems()
    fields = {"name": Field(text(1, 100)), "rate_limit_per_user": Field(integer(0, 21600))}
    if found["type"] in objects.THREADS:
        fields |= {
            "archived": Field(flag),
            "locked": Field(flag),
            "auto_archive_duration": Field(one_of(60, 1440, 4320, 10080)),
        }
    elif found["type"] in objects.KINDS.values():
        if found["type"] != objects.VOICE:
            fields["topic"] = Field(text(0, 1024))
        channel_of(services, call, "manage_channels")
    else:
        raise wrong_channel_type()
    given = read(problems, (), call.body, fields)
    problems.raise_any()
    if found["type"] in objects.THREADS:
        _check_edit_of_thread(services, call, found, given)
        about = {name: given.pop(name) for name in METADATA if name in given}
        found |= given
        threads.change(services.world, found, **about)
        return Answer(200, found)
    found |= given
    services.world.put_channel(found)
    services.world.publish(ChannelChanged(found))
    return Answer(200, found)


def _check_edit_of_thread(services: Services, call: Call, thread: Object, given: Object) -> None:
    """Raise DiscordError 50013 or 50083 if the bot may not edit a thread so.

    The creator may edit a thread that is not locked, and all who have joined it may unarchive it. Everything else needs
    Manage Threads. An archived thread can be edited only if it is unarchived at the same time.
    """
    bot, metadata = services.world.bot["id"], thread["thread_metadata"]
    joined = any(one["user_id"] == bot for one in services.world.thread_members[thread["id"]])
    mine = thread["owner_id"] == bot or (joined and given == {"archived": False})
    if not mine or metadata["locked"] or given.keys() & {"locked", "rate_limit_per_user"}:
        channel_of(services, call, "manage_threads")
    if given.get("archived") is not False:
        threads.check_active(thread)


@routes("DELETE", "/channels/{channel_id}")
def delete(services: Services, call: Call) -> Answer:
    found = channel_of(services, call)
    if found["type"] == objects.DM:
        return Answer(200, found)  # closing direct messages changes nothing for the member
    channel_of(services, call, "manage_threads" if found["type"] in objects.THREADS else "manage_channels")
    world = services.world
    threads = [one for one in world.channels.values() if one.get("parent_id") == found["id"]]
    for gone in (*threads, found):
        world.remove_channel(gone)
        world.publish(ChannelGone(gone))
    return Answer(200, found)


@routes("POST", "/channels/{channel_id}/typing")
def typing(services: Services, call: Call) -> Answer:
    services.world.publish(Typing(channel_of(services, call, "send_messages"), services.world.bot["id"]))
    return NO_CONTENT
