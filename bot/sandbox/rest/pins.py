"""The pinned messages of a channel."""

from bot.sandbox import errors
from bot.sandbox.json_types import Object
from bot.sandbox.rest.access import channel_of
from bot.sandbox.rest.messages import public_message, seen_by_bot
from bot.sandbox.rest.wire import NO_CONTENT, Answer, Call, Routes
from bot.sandbox.services import Services
from bot.sandbox.world import objects, threads
from bot.sandbox.world.message import Message

routes = Routes()
PINS = "/channels/{channel_id}/messages/pins"
PIN = "/channels/{channel_id}/messages/pins/{message_id}"

MOST_PINS = 250


@routes("GET", PINS)
def pins(services: Services, call: Call) -> Answer:
    channel = channel_of(services, call, "read_message_history")
    limit = call.number("limit", 50, 50)
    before = call.query.get("before")
    there = [one for one in _pinned(services, channel) if before is None or one.pinned_at < before]
    items = [
        {"pinned_at": message.pinned_at, "message": seen_by_bot(services, message)}
        for message in there[:limit]
    ]
    return Answer(200, {"items": items, "has_more": len(there) > limit})


@routes("PUT", PIN)
def pin(services: Services, call: Call) -> Answer:
    channel = channel_of(services, call, "pin_messages")
    if channel["type"] == objects.VOICE:
        raise errors.wrong_channel_type()
    found = public_message(services, channel, call)
    threads.check_open(services.world, services.world.bot["id"], channel)
    if not found.body["pinned"]:
        if len(_pinned(services, channel)) >= MOST_PINS:
            raise errors.too_many_pins()
        services.messages.pin(found, services.world.bot)
    return NO_CONTENT


@routes("DELETE", PIN)
def unpin(services: Services, call: Call) -> Answer:
    channel = channel_of(services, call, "pin_messages")
    found = public_message(services, channel, call)
    threads.check_open(services.world, services.world.bot["id"], channel)
    if found.body["pinned"]:
        services.messages.unpin(found)
    return NO_CONTENT


def _pinned(services: Services, channel: Object) -> list[Message]:
    """Return the pinned messages of a channel, the last pinned first."""
    found = [one for one in services.world.messages[channel["id"]].values() if one.body["pinned"]]
    return sorted(found, key=lambda one: one.pinned_at, reverse=True)
