"""Channels and threads, and the permissions that the bot has there."""

from bot.sandbox.checks.fields import Field, anything, checked, flag, integer, one_of, text
from bot.sandbox.errors import missing_access, thread_exists, unknown_member, wrong_channel_type
from bot.sandbox.json_types import Object
from bot.sandbox.messages import start_post, start_thread
from bot.sandbox.rest.wire import NO_CONTENT, Call, Response, Routes
from bot.sandbox.services import Services
from bot.sandbox.world import objects, threads
from bot.sandbox.world.events import ChannelChanged, ChannelGone, ThreadJoined, Typing
from bot.sandbox.world.permissions import refusal


def channel_of(services: Services, call: Call, *needed: str) -> Object:
    """Return the channel in the path, if the bot sees it and has the permissions `needed`.

    Direct messages need no permission. Raises DiscordError: 10003, 50001, 50013.
    """
    world = services.world
    channel = world.channel(call.params["channel_id"])
    bot = world.bot["id"]
    if not world.sees(bot, channel):
        raise missing_access()
    with_bot = objects.context(channel) == objects.WITH_BOT
    if not with_bot and (no := refusal(world.permissions(bot, channel), *needed)):
        raise no
    return channel


def sending(channel: Object) -> str:
    """Return the permission that posting in this channel needs."""
    return "send_messages_in_threads" if channel["type"] in objects.THREADS else "send_messages"


routes = Routes()
ARCHIVE = one_of(60, 1440, 4320, 10080)
"""The check of the minutes after which a thread is archived."""
METADATA = ("archived", "locked", "auto_archive_duration")


@routes("GET", "/channels/{channel_id}")
def channel(services: Services, call: Call) -> Response:
    return Response(200, channel_of(services, call))


@routes("PATCH", "/channels/{channel_id}")
def edit(services: Services, call: Call) -> Response:
    found = channel_of(services, call)
    fields = {"name": Field(text(1, 100)), "rate_limit_per_user": Field(integer(0, 21600))}
    if found["type"] in objects.THREADS:
        fields |= {
            "archived": Field(flag),
            "locked": Field(flag),
            "auto_archive_duration": Field(ARCHIVE),
        }
    elif found["type"] in objects.KINDS.values():
        if found["type"] != objects.VOICE:
            fields["topic"] = Field(text(0, 1024))
        channel_of(services, call, "manage_channels")
    else:
        raise wrong_channel_type()
    given = checked(call.body, fields)
    if found["type"] in objects.THREADS:
        _check_edit_of_thread(services, call, found, given)
        about = {name: given.pop(name) for name in METADATA if name in given}
        found |= given
        threads.change(services.world, found, **about)
        return Response(200, found)
    found |= given
    services.world.put_channel(found)
    services.world.publish(ChannelChanged(found))
    return Response(200, found)


def _check_edit_of_thread(services: Services, call: Call, thread: Object, given: Object) -> None:
    """Raise DiscordError 50013 or 50083 if the bot may not edit a thread in this way.

    The creator may edit a thread that is not locked, and members of the thread may unarchive it. All other edits need
    Manage Threads. An archived thread can be edited only if the edit also unarchives it.
    """
    bot, metadata = services.world.bot["id"], thread["thread_metadata"]
    joined = any(one["user_id"] == bot for one in services.world.thread_members[thread["id"]])
    mine = thread["owner_id"] == bot or (joined and given == {"archived": False})
    if not mine or metadata["locked"] or given.keys() & {"locked", "rate_limit_per_user"}:
        channel_of(services, call, "manage_threads")
    if given.get("archived") is not False:
        threads.check_active(thread)


@routes("DELETE", "/channels/{channel_id}")
def delete(services: Services, call: Call) -> Response:
    found = channel_of(services, call)
    if found["type"] == objects.DM:
        return Response(200, found)  # closing direct messages changes nothing for the member
    channel_of(services, call, "manage_threads" if found["type"] in objects.THREADS else "manage_channels")
    world = services.world
    threads = [one for one in world.channels.values() if one.get("parent_id") == found["id"]]
    for gone in (*threads, found):
        world.remove_channel(gone)
        world.publish(ChannelGone(gone))
    return Response(200, found)


@routes("POST", "/channels/{channel_id}/typing")
def typing(services: Services, call: Call) -> Response:
    services.world.publish(Typing(channel_of(services, call, "send_messages"), services.world.bot["id"]))
    return NO_CONTENT


FIELDS = {
    "name": Field(text(1, 100), required=True),
    "auto_archive_duration": Field(ARCHIVE, default=4320),
    "rate_limit_per_user": Field(integer(0, 21600), default=0),
}


@routes("POST", "/channels/{channel_id}/threads")
def start_alone(services: Services, call: Call) -> Response:
    parent = _parent(services, call)
    if parent["type"] == objects.FORUM:
        return _posted(services, call, parent)
    kinds = {
        "type": Field(one_of(*objects.THREADS), default=objects.PRIVATE_THREAD),
        "invitable": Field(flag),
    }
    given = checked(call.body, FIELDS | kinds)
    if given["type"] not in objects.THREADS_IN[parent["type"]]:
        raise wrong_channel_type()
    private = given["type"] == objects.PRIVATE_THREAD
    channel_of(services, call, "create_private_threads" if private else "create_public_threads")
    return _started(services, parent, given)


def _posted(services: Services, call: Call, forum: Object) -> Response:
    """Start a post in a forum: a thread whose first message has the same id."""
    channel_of(services, call, "send_messages")
    given = checked(call.body, FIELDS | {"message": Field(anything, required=True)})
    world = services.world
    id_ = world.new_id()
    draft = services.messages.draft_reader(id_).read(given["message"], call.uploads, path=("message",))
    thread, message = start_post(world, services.messages, forum, world.bot, given["name"], id_, draft)
    joined = world.thread_members[thread["id"]][0]
    return Response(201, thread | {"member": joined, "message": world.view(message)})


@routes("POST", "/channels/{channel_id}/messages/{message_id}/threads")
def start_from_message(services: Services, call: Call) -> Response:
    parent = _parent(services, call)
    channel_of(services, call, "create_public_threads")
    message = services.world.message(parent["id"], call.params["message_id"])
    if message.id in services.world.channels:
        raise thread_exists()
    given = checked(call.body, FIELDS)
    if parent["type"] == objects.FORUM:
        raise wrong_channel_type()
    return _started(services, parent, given | {"type": objects.THREADS_IN[parent["type"]][0]}, message.id)


def _parent(services: Services, call: Call) -> Object:
    parent = channel_of(services, call)
    if parent["type"] not in objects.THREADS_IN:
        raise wrong_channel_type()
    return parent


def _started(services: Services, parent: Object, given: Object, message_id: str | None = None) -> Response:
    world = services.world
    thread = start_thread(
        world, services.messages, parent, world.bot, given["name"],
        kind=given["type"], archive_minutes=given["auto_archive_duration"], message_id=message_id,
    )  # fmt: skip
    return Response(201, thread | {"member": world.thread_members[thread["id"]][0]})


@routes("GET", "/channels/{channel_id}/thread-members")
def members(services: Services, call: Call) -> Response:
    return Response(200, services.world.thread_members[_thread(services, call)["id"]])


@routes("PUT", "/channels/{channel_id}/thread-members/@me", "/channels/{channel_id}/thread-members/{user_id}")
def join(services: Services, call: Call) -> Response:
    world, thread = services.world, _thread(services, call)
    user_id = call.params.get("user_id", world.bot["id"])
    if not world.is_in(user_id, thread["guild_id"]):
        raise unknown_member()
    there = world.thread_members[thread["id"]]
    if all(one["user_id"] != user_id for one in there):
        joined = objects.thread_member(thread["id"], user_id, world.now())
        world.put_thread_members(thread["id"], [*there, joined])
        world.publish(ThreadJoined(thread, joined))
    return NO_CONTENT


@routes(
    "DELETE", "/channels/{channel_id}/thread-members/@me", "/channels/{channel_id}/thread-members/{user_id}"
)
def leave(services: Services, call: Call) -> Response:
    world, thread = services.world, _thread(services, call)
    user_id = call.params.get("user_id", world.bot["id"])
    there = world.thread_members[thread["id"]]
    world.put_thread_members(thread["id"], [one for one in there if one["user_id"] != user_id])
    return NO_CONTENT


def _thread(services: Services, call: Call) -> Object:
    found = channel_of(services, call)
    if found["type"] not in objects.THREADS:
        raise wrong_channel_type()
    return found
