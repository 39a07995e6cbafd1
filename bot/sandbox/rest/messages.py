"""The messages of a channel, pinned messages, and responses to interactions by their token."""

from bot.sandbox import errors
from bot.sandbox.gateway.payloads import readable
from bot.sandbox.json_types import Object
from bot.sandbox.rest.channels import channel_of, sending
from bot.sandbox.rest.wire import NO_CONTENT, Call, Response, Routes
from bot.sandbox.services import Services
from bot.sandbox.world import objects, threads
from bot.sandbox.world.clock import iso
from bot.sandbox.world.objects import DM, FORUM
from bot.sandbox.world.records import Interaction, Message

routes = Routes()
WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
ORIGINAL = f"{WEBHOOK}/messages/@original"
FOLLOWUP = f"{WEBHOOK}/messages/{{message_id}}"
TRUE = ("1", "true", "True")


@routes("POST", "/interactions/{interaction_id}/{interaction_token}/callback", token=False)
def answer(services: Services, call: Call) -> Response:
    id_, token = call.params["interaction_id"], call.params["interaction_token"]
    made = services.interactions.answer(id_, token, call.body, call.uploads)
    return Response(200, made) if call.query.get("with_response") in TRUE else NO_CONTENT


@routes("POST", WEBHOOK, token=False)
def followup(services: Services, call: Call) -> Response:
    message = services.interactions.followup(_interaction(services, call), call.body, call.uploads)
    # Webhooks of interactions always answer with the message, whatever `wait` says.
    return Response(200, services.world.view(message))


@routes("GET", ORIGINAL, FOLLOWUP, token=False)
def own_message(services: Services, call: Call) -> Response:
    found = services.interactions.message(_interaction(services, call), _message_id(call))
    return Response(200, services.world.view(found))


@routes("PATCH", ORIGINAL, FOLLOWUP, token=False)
def edit_own(services: Services, call: Call) -> Response:
    made = services.interactions.edit(
        _interaction(services, call), _message_id(call), call.body, call.uploads
    )
    return Response(200, services.world.view(made))


@routes("DELETE", ORIGINAL, FOLLOWUP, token=False)
def delete_own(services: Services, call: Call) -> Response:
    services.interactions.delete(_interaction(services, call), _message_id(call))
    return NO_CONTENT


def _interaction(services: Services, call: Call) -> Interaction:
    return services.interactions.by_token(call.params["webhook_id"], call.params["webhook_token"])


def _message_id(call: Call) -> str:
    return call.params.get("message_id", "@original")


PINS = "/channels/{channel_id}/messages/pins"
PIN = "/channels/{channel_id}/messages/pins/{message_id}"

MOST_PINS = 250


@routes("GET", PINS)
def pins(services: Services, call: Call) -> Response:
    channel = channel_of(services, call, "read_message_history")
    limit = call.number("limit", 50, 50)
    before = call.query.get("before")
    there = [one for one in _pinned(services, channel) if before is None or one.pinned_at < before]
    items = [
        {"pinned_at": message.pinned_at, "message": seen_by_bot(services, message)}
        for message in there[:limit]
    ]
    return Response(200, {"items": items, "has_more": len(there) > limit})


@routes("PUT", PIN)
def pin(services: Services, call: Call) -> Response:
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
def unpin(services: Services, call: Call) -> Response:
    channel = channel_of(services, call, "pin_messages")
    found = public_message(services, channel, call)
    threads.check_open(services.world, services.world.bot["id"], channel)
    if found.body["pinned"]:
        services.messages.unpin(found)
    return NO_CONTENT


def _pinned(services: Services, channel: Object) -> list[Message]:
    """Return the pinned messages of a channel, newest pins first."""
    found = [one for one in services.world.messages[channel["id"]].values() if one.body["pinned"]]
    return sorted(found, key=lambda one: one.pinned_at, reverse=True)


MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = "/channels/{channel_id}/messages/{message_id}"
OLD = 3600.0
"""Age in seconds from which edits of messages are limited by channel."""


@routes("GET", MESSAGES)
def history(services: Services, call: Call) -> Response:
    channel = channel_of(services, call)
    try:
        channel_of(services, call, "read_message_history")
    except errors.DiscordError:
        return Response(200, [])  # Discord returns no messages in this case, and no error.
    there = [one for one in services.world.messages[channel["id"]].values() if one.ephemeral_for is None]
    limit = call.number("limit", 50, 100)
    before, after, around = call.id("before"), call.id("after"), call.id("around")
    if around is not None:
        older = [one for one in there if int(one.id) < around][-(limit // 2) :]
        newer = [one for one in there if int(one.id) >= around][: limit - len(older)]
        found = [*older, *newer]
    elif after is not None:
        found = [one for one in there if int(one.id) > after][:limit]
    else:
        found = [one for one in there if before is None or int(one.id) < before][-limit:]
    return Response(200, [seen_by_bot(services, message) for message in reversed(found)])


@routes("GET", MESSAGE)
def message(services: Services, call: Call) -> Response:
    channel = channel_of(services, call, "read_message_history")
    return Response(200, seen_by_bot(services, public_message(services, channel, call)))


@routes("POST", MESSAGES)
def send(services: Services, call: Call) -> Response:
    channel = channel_of(services, call)
    if channel["type"] == DM:
        other = channel["recipients"][0]["id"]
        if not services.world.reachable_by_bot(other):
            raise errors.no_mutual_servers()
        if other in services.world.closed:
            raise errors.takes_no_direct_messages()
    if channel["type"] == FORUM:
        raise errors.no_text_channel()
    files = ("attach_files",) if call.uploads else ()
    channel_of(services, call, sending(channel), *files)
    draft = services.messages.draft_reader(channel["id"]).read(call.body, call.uploads)
    nonce, bot = call.fields().get("nonce"), services.world.bot
    made = None
    if nonce is not None and call.fields().get("enforce_nonce"):
        made = services.messages.repeated(channel, bot, nonce)
    if made is None:
        extra: Object = {} if nonce is None else {"nonce": nonce}
        made = services.messages.send(channel, bot, draft, extra=extra)
    return Response(200, services.world.view(made))


@routes("PATCH", MESSAGE)
def edit(services: Services, call: Call) -> Response:
    channel = channel_of(services, call)
    found = public_message(services, channel, call)
    if found.author_id != services.world.bot["id"]:
        raise errors.edit_of_another()
    threads.check_open(services.world, services.world.bot["id"], channel)
    if found.body["timestamp"] < iso(services.world.clock.time() - OLD):
        wait = services.old_edits.wait(channel["id"])
        if wait is not None:
            raise errors.RateLimited(wait, 30046)
    reader = services.messages.draft_reader(channel["id"])
    draft = reader.read(call.body, call.uploads, before=found.body, kept=found.files)
    return Response(200, services.world.view(services.messages.edit(found, draft)))


@routes("DELETE", MESSAGE)
def delete(services: Services, call: Call) -> Response:
    channel = channel_of(services, call)
    found = public_message(services, channel, call)
    if found.author_id != services.world.bot["id"]:
        if channel["type"] == DM:
            raise errors.not_in_a_direct_message()
        channel_of(services, call, "manage_messages")
    threads.check_active(channel)
    services.messages.remove(found)
    return NO_CONTENT


def public_message(services: Services, channel: Object, call: Call) -> Message:
    """Return the message in the path. For the routes of channels, ephemeral messages do not exist."""
    found = services.world.message(channel["id"], call.params["message_id"])
    if found.ephemeral_for is not None:
        raise errors.unknown_message()
    return found


def seen_by_bot(services: Services, message: Message) -> Object:
    """Return the message as the bot may read it."""
    body = services.world.view(message)
    if services.privileged or readable(services.world, message):
        return body
    return body | {"content": "", "embeds": [], "attachments": [], "components": []}
