"""The messages of a channel."""

from bot.sandbox.errors import (
    DiscordError,
    RateLimited,
    edit_of_another,
    no_mutual_servers,
    no_text_channel,
    not_in_a_direct_message,
    takes_no_direct_messages,
    unknown_message,
)
from bot.sandbox.gateway.payloads import readable
from bot.sandbox.json_types import Object
from bot.sandbox.rest.access import channel_of, sending
from bot.sandbox.rest.wire import NO_CONTENT, Answer, Call, Routes
from bot.sandbox.services import Services
from bot.sandbox.world import threads
from bot.sandbox.world.clock import iso
from bot.sandbox.world.message import Message
from bot.sandbox.world.objects import DM, FORUM

routes = Routes()
MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = "/channels/{channel_id}/messages/{message_id}"
OLD = 3600.0
"""Age in seconds from which edits of a message are limited by channel."""


@routes("GET", MESSAGES)
def history(services: Services, call: Call) -> Answer:
    channel = channel_of(services, call)
    try:
        channel_of(services, call, "read_message_history")
    except DiscordError:
        return Answer(200, [])  # Discord shows no messages then, and does not refuse.
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
    return Answer(200, [seen_by_bot(services, message) for message in reversed(found)])


@routes("GET", MESSAGE)
def message(services: Services, call: Call) -> Answer:
    channel = channel_of(services, call, "read_message_history")
    return Answer(200, seen_by_bot(services, public_message(services, channel, call)))


@routes("POST", MESSAGES)
def send(services: Services, call: Call) -> Answer:
    channel = channel_of(services, call)
    if channel["type"] == DM:
        other = channel["recipients"][0]["id"]
        if not services.world.reachable_by_bot(other):
            raise no_mutual_servers()
        if other in services.world.closed:
            raise takes_no_direct_messages()
    if channel["type"] == FORUM:
        raise no_text_channel()
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
    return Answer(200, services.world.view(made))


@routes("PATCH", MESSAGE)
def edit(services: Services, call: Call) -> Answer:
    channel = channel_of(services, call)
    found = public_message(services, channel, call)
    if found.author_id != services.world.bot["id"]:
        raise edit_of_another()
    threads.check_open(services.world, services.world.bot["id"], channel)
    if found.body["timestamp"] < iso(services.world.clock.time() - OLD):
        wait = services.old_edits.wait(channel["id"])
        if wait is not None:
            raise RateLimited(wait, 30046)
    reader = services.messages.draft_reader(channel["id"])
    draft = reader.read(call.body, call.uploads, before=found.body, kept=found.files)
    return Answer(200, services.world.view(services.messages.edit(found, draft)))


@routes("DELETE", MESSAGE)
def delete(services: Services, call: Call) -> Answer:
    channel = channel_of(services, call)
    found = public_message(services, channel, call)
    if found.author_id != services.world.bot["id"]:
        if channel["type"] == DM:
            raise not_in_a_direct_message()
        channel_of(services, call, "manage_messages")
    threads.check_active(channel)
    services.messages.remove(found)
    return NO_CONTENT


def public_message(services: Services, channel: Object, call: Call) -> Message:
    """Return the message that the path names. For the routes of channels, ephemeral messages do not exist."""
    found = services.world.message(channel["id"], call.params["message_id"])
    if found.ephemeral_for is not None:
        raise unknown_message()
    return found


def seen_by_bot(services: Services, message: Message) -> Object:
    """Return the message as the bot may read it."""
    body = services.world.view(message)
    if services.privileged or readable(services.world, message):
        return body
    return body | {"content": "", "embeds": [], "attachments": [], "components": []}
