"""The JSON calls of the page, by which a member reads and acts. The README describes them."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.sandbox.checks.commands import CHAT_INPUT, ENTRY_POINT, LAUNCHED_BY_DISCORD
from bot.sandbox.checks.components import BUTTON, SELECTS
from bot.sandbox.errors import DiscordError, Refused
from bot.sandbox.interactions.commands import command_data, commands_in
from bot.sandbox.interactions.components import chosen, component_of, modal_data
from bot.sandbox.json_types import Object
from bot.sandbox.messages import start_post, start_thread
from bot.sandbox.page.feed import Feed, application_state, channel_for, may_read
from bot.sandbox.page.files import upload
from bot.sandbox.services import Services
from bot.sandbox.world import objects, threads
from bot.sandbox.world.events import CommandsChanged, MessageGone
from bot.sandbox.world.people import delete_account, move_member, open_among, open_with_bot
from bot.sandbox.world.permissions import bit
from bot.sandbox.world.records import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL_SUBMIT,
    Callback,
    Interaction,
    Message,
)

Read: TypeAlias = Callable[[Services, str, web.Request], Any]
"""A function that returns JSON for a member's id and a request."""
Action: TypeAlias = Callable[[Services, str, Object], Awaitable[Any]]
"""A function that acts for a member's id with a body, and returns JSON."""


@web.middleware
async def refuse(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer refusals of a member's call with their sentence, which may be Discord's message."""
    try:
        return await handler(request)
    except (Refused, DiscordError) as refusal:
        return web.json_response({"error": str(refusal).rstrip(".") + "."}, status=refusal.status)


def add_calls(app: web.Application, services: Services, feed: Feed) -> None:
    """Add the calls to an application that has the middleware `refuse`."""

    async def events(request: web.Request) -> web.StreamResponse:
        return await feed.follow(request, _member(services, request.query.get("as")))

    def reading(read: Read, default: str | None = None) -> Handler:
        async def handle(request: web.Request) -> web.Response:
            user_id = _member(services, request.query.get("as") or default)
            return web.json_response(read(services, user_id, request))

        return handle

    def acting(act: Action) -> Handler:
        async def handle(request: web.Request) -> web.Response:
            body = _object(await request.read())
            return web.json_response(await act(services, _member(services, body.get("as")), body))

        return handle

    async def file(request: web.Request) -> web.Response:
        member = _member(services, request.query.get("as"))
        return web.json_response(await upload(services.world, request, member))

    app.router.add_get("/local/events", events)
    app.router.add_post("/local/upload", file)
    # A new client does not know any member yet, so only these calls default to the first member.
    first = services.world.members[0]["id"]
    app.router.add_get("/local/state", reading(_state, default=first))
    app.router.add_get("/local/servers", reading(_servers, default=first))
    for path, read in READS.items():
        app.router.add_get("/local/" + path, reading(read))
    for path, act in ACTIONS.items():
        app.router.add_post("/local/" + path, acting(act))


# --- reading


def _state(services: Services, user_id: str, request: web.Request) -> Object:
    world = services.world
    guild = world.home(user_id)
    return {
        "application": application_state(services),
        "guild": {key: guild[key] for key in ("id", "name", "roles")},
        "members": world.members_of(guild["id"]),
        "channels": [
            channel_for(world, one, user_id) for one in world.channels.values() if world.sees(user_id, one)
        ],
        "me": world.users[user_id],
    }


def _commands(services: Services, user_id: str, request: web.Request) -> list[Object]:
    world, where = services.world, request.query.get("channel")
    if where is None:
        own = world.home(user_id)["id"]
        where = next(id_ for id_, one in world.channels.items() if one.get("guild_id") == own)
    return commands_in(world, user_id, _channel(services, user_id, where))


def _history(services: Services, user_id: str, request: web.Request) -> list[Object]:
    world, channel = services.world, _channel(services, user_id, request.match_info["channel"])
    limit, before = request.query.get("limit", "50"), request.query.get("before", "")
    if not limit.isdecimal() or not (before.isdecimal() or not before):
        raise Refused('"limit" must be a number and "before" a message id.')
    found = [
        one
        for one in world.messages[channel["id"]].values()
        if one.ephemeral_for in (None, user_id) and (not before or int(one.id) < int(before))
    ]
    return [world.member_view(message) for message in found[-max(1, min(int(limit), 100)) :]]


def _one(services: Services, user_id: str, request: web.Request) -> Object:
    return services.world.member_view(_message(services, user_id, request.match_info["message"]))


def _servers(services: Services, user_id: str, request: web.Request) -> list[Object]:
    """Return all servers with their members and text channels, for programs that act in many servers."""
    world = services.world
    channels: dict[str, list[Object]] = {id_: [] for id_ in world.guilds}
    for channel in world.channels.values():
        if channel["type"] == objects.TEXT:
            channels[channel["guild_id"]].append(channel)
    return [
        {"id": id_, "name": guild["name"], "members": world.members_of(id_), "channels": channels[id_]}
        for id_, guild in world.guilds.items()
    ]


READS: dict[str, Read] = {
    "commands": _commands,
    "channels/{channel}/messages": _history,
    "messages/{message}": _one,
}


# --- acting


async def _command(services: Services, user_id: str, body: Object) -> Object:
    channel = _writable(services, user_id, body)
    data = command_data(services.world, channel, body)
    return await _interact(services, COMMAND, channel, user_id, data)


async def _autocomplete(services: Services, user_id: str, body: Object) -> Object:
    channel = _channel(services, user_id, body.get("channel"))
    data = command_data(services.world, channel, body, focused=str(body.get("focused")))
    return await _interact(services, AUTOCOMPLETE, channel, user_id, data)


async def _press(services: Services, user_id: str, body: Object) -> Object:
    message = _message(services, user_id, body.get("message"))
    custom_id = str(body.get("custom_id"))
    button = component_of(services.world, message, custom_id, (BUTTON,))
    data = {"custom_id": custom_id, "component_type": BUTTON, "id": button["id"]}
    channel = services.world.channels[message.channel_id]
    return await _interact(services, COMPONENT, channel, user_id, data, source=message.id)


async def _choose(services: Services, user_id: str, body: Object) -> Object:
    message = _message(services, user_id, body.get("message"))
    custom_id, channel = str(body.get("custom_id")), services.world.channels[message.channel_id]
    select = component_of(services.world, message, custom_id, SELECTS)
    data = {"custom_id": custom_id, "component_type": select["type"], "id": select["id"]}
    data |= chosen(services.world, channel, select, body.get("values"))
    return await _interact(services, COMPONENT, channel, user_id, data, source=message.id)


async def _submit(services: Services, user_id: str, body: Object) -> Object:
    cause = services.world.interactions.get(str(body.get("interaction")))
    if cause is None or cause.user_id != user_id or cause.modal is None:
        raise Refused("This form is no longer open.", 404)
    if body.get("custom_id", cause.modal["custom_id"]) != cause.modal["custom_id"]:
        raise Refused("The form that is open has another custom_id.")
    channel = services.world.channel(cause.channel_id)
    data = modal_data(services.world, channel, cause.modal, body.get("fields"))
    return await _interact(
        services, MODAL_SUBMIT, channel, user_id, data, source=cause.source, cause=cause.id
    )


async def _say(services: Services, user_id: str, body: Object) -> Object:
    world, channel = services.world, _writable(services, user_id, body)
    content = body.get("content")
    if threads.is_closed_to(world, user_id, channel):
        raise Refused("This thread is locked.", 403)
    if not isinstance(content, str) or not 1 <= len(content.strip()) <= 2000:
        raise Refused("A message has 1 to 2,000 characters.")
    with world.store.transaction():
        draft = services.messages.draft_reader(channel["id"]).read({"content": content.strip()})
        message = services.messages.send(channel, world.users[user_id], draft)
    return world.member_view(message)


async def _thread(services: Services, user_id: str, body: Object) -> Object:
    world, channel, name = services.world, _channel(services, user_id, body.get("channel")), body.get("name")
    kinds, private = objects.THREADS_IN.get(channel["type"], ()), body.get("private", False)
    kind = objects.PRIVATE_THREAD if private else next(iter(kinds), None)
    if kind is None or kind not in kinds:
        raise Refused("This channel has no threads of this kind.")
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= 100:
        raise Refused("A thread's name has 1 to 100 characters.")
    author = world.users[user_id]
    with world.store.transaction():
        if channel["type"] != objects.FORUM:
            return start_thread(world, services.messages, channel, author, name.strip(), kind=kind)
        id_ = world.new_id()
        draft = services.messages.draft_reader(id_).read({"content": body.get("content", "")})
        return start_post(world, services.messages, channel, author, name.strip(), id_, draft)[0]


async def _thread_state(services: Services, user_id: str, body: Object) -> Object:
    world, thread = services.world, _channel(services, user_id, body.get("channel"))
    about = {name: body[name] for name in ("archived", "locked") if name in body}
    if thread["type"] not in objects.THREADS:
        raise Refused("Only a thread can be archived or locked.")
    if not about or any(not isinstance(value, bool) for value in about.values()):
        raise Refused('"archived", "locked" or both must be given, each as true or false.')
    mine = thread["owner_id"] == user_id or about == {"archived": False}
    if not world.moderates(user_id, thread) and (
        not mine or "locked" in about or thread["thread_metadata"]["locked"]
    ):
        raise Refused("That needs the permission Manage Threads.", 403)
    with world.store.transaction():
        threads.change(world, thread, **about)
    return thread


async def _direct(services: Services, user_id: str, body: Object) -> Object:
    others, name = body.get("with", []), body.get("name")
    if not isinstance(others, list) or not isinstance(name, str | None):
        raise Refused('"with" must be a list of members\' ids, and "name" a text.')
    people = [user_id, *(_member(services, other) for other in others)]
    with services.world.store.transaction():
        made = open_among(services.world, people, name) if others else open_with_bot(services.world, user_id)
    return channel_for(services.world, made, user_id)


async def _install(services: Services, user_id: str, body: Object) -> Object:
    with services.world.store.transaction():
        services.world.install(user_id)
    services.world.publish(CommandsChanged())
    return {}


async def _leave(services: Services, user_id: str, body: Object) -> Object:
    move_member(services.world, user_id, there=False)
    return {}


async def _join(services: Services, user_id: str, body: Object) -> Object:
    move_member(services.world, user_id, there=True)
    return {}


async def _delete_account(services: Services, user_id: str, body: Object) -> Object:
    delete_account(services.world, user_id)
    return {}


async def _dismiss(services: Services, user_id: str, body: Object) -> Object:
    message = _message(services, user_id, body.get("message"))
    if message.ephemeral_for is None:
        raise Refused("Only a message that nobody else sees can be dismissed.")
    with services.world.store.transaction():
        services.world.remove_message(message)
    services.world.publish(MessageGone(message))
    return {}


async def _authorize(services: Services, user_id: str, body: Object) -> Object:
    return {"code": services.activities.authorize(str(body.get("instance")), user_id)}


async def _authenticate(services: Services, user_id: str, body: Object) -> Object:
    user = services.activities.user_of(f"Bearer {body.get('token')}")
    if user is None or user["id"] != user_id:
        raise Refused("This access token is not valid for the member.", 403)
    return user


async def _launch(services: Services, user_id: str, body: Object) -> Object:
    """Use the Entry Point command, by which Discord or the application opens the Activity."""
    channel = _writable(services, user_id, body)
    entry = next((one for one in services.world.commands.values() if one["type"] == ENTRY_POINT), None)
    if entry is None:
        raise Refused("The application has no Activity.", 404)
    if entry["handler"] == LAUNCHED_BY_DISCORD:
        return {"outcome": "activity", "instance": services.activities.launch(channel, user_id)}
    data = {"id": entry["id"], "name": entry["name"], "type": ENTRY_POINT}
    return await _interact(services, COMMAND, channel, user_id, data)


async def _leave_activity(services: Services, user_id: str, body: Object) -> Object:
    services.activities.leave(str(body.get("instance")), user_id)
    return {}


async def _participants(services: Services, user_id: str, body: Object) -> Object:
    return {"participants": [*services.activities.participants(str(body.get("instance")))]}


ACTIONS: dict[str, Action] = {
    "command": _command,
    "autocomplete": _autocomplete,
    "press": _press,
    "choose": _choose,
    "submit": _submit,
    "message": _say,
    "thread": _thread,
    "thread-state": _thread_state,
    "direct": _direct,
    "install": _install,
    "leave": _leave,
    "join": _join,
    "delete-account": _delete_account,
    "dismiss": _dismiss,
    "activity/launch": _launch,
    "activity/authorize": _authorize,
    "activity/authenticate": _authenticate,
    "activity/participants": _participants,
    "activity/leave": _leave_activity,
}


# --- shared parts


async def _interact(
    services: Services, kind: int, channel: Object, user_id: str, data: Object, *,
    source: str | None = None, cause: str | None = None,
) -> Object:  # fmt: skip
    """Open an interaction, wait for the bot's first response, and return the outcome."""
    if not services.gateway.reachable(channel.get("guild_id")):
        return {"interaction": services.world.new_id(), "outcome": "failed", "reason": "offline"}
    if kind in (COMPONENT, MODAL_SUBMIT) or (kind == COMMAND and data["type"] == CHAT_INPUT):
        _enter(services, user_id, channel)
    with services.world.store.transaction():
        opened = services.interactions.open(kind, channel, user_id, data, source=source, cause=cause)
    await services.interactions.wait(opened)
    return {"interaction": opened.id} | _outcome(services, opened)


def _enter(services: Services, user_id: str, channel: Object) -> None:
    """Unarchive the thread in which a member acts, as Discord's clients do. Raises Refused if the member may not."""
    world = services.world
    if threads.is_closed_to(world, user_id, channel):
        raise Refused("This thread is locked.", 403)
    archived = channel.get("thread_metadata", {}).get("archived")
    if archived and not world.permissions(user_id, channel) & bit("send_messages_in_threads"):
        raise Refused("You may not unarchive this thread.", 403)
    with world.store.transaction():
        threads.open_for_message(world, user_id, channel)


def _outcome(services: Services, interaction: Interaction) -> Object:
    message = services.world.find_message(interaction.original or "")
    shown = None if message is None else services.world.member_view(message)
    match interaction.answered:
        case Callback.MESSAGE | Callback.DEFERRED:
            return {"outcome": "message", "message": shown}
        case Callback.DEFERRED_UPDATE | Callback.UPDATE:
            return {"outcome": "update", "message": shown}
        case Callback.CHOICES:
            return {"outcome": "choices", "choices": interaction.choices}
        case Callback.LAUNCH_ACTIVITY:
            return {"outcome": "activity", "instance": interaction.launched}
        case Callback.MODAL:
            return {"outcome": "modal", "modal": interaction.modal}
    return {"outcome": "failed", "reason": "timeout"}


def _object(raw: bytes) -> Object:
    try:
        body = json.loads(raw)
    except ValueError:
        raise Refused("The body is not JSON.") from None
    if not isinstance(body, dict):
        raise Refused("The body must be a JSON object.")
    return body


def _member(services: Services, id_: Any) -> str:
    if not services.world.is_person(id_):
        raise Refused('"as" must be the id of a member.', 404)
    if objects.account_deleted(services.world.users[id_]):
        raise Refused("This account is deleted.", 404)
    return str(id_)


def _channel(services: Services, user_id: str, id_: Any) -> Object:
    channel = services.world.channels.get(str(id_))
    if channel is None or not services.world.sees(user_id, channel):
        raise Refused("There is no such channel, or you do not see it.", 404)
    return channel


def _writable(services: Services, user_id: str, body: Object) -> Object:
    """Return the channel in which a member writes. Raises Refused for a forum, which has only posts."""
    channel = _channel(services, user_id, body.get("channel"))
    if channel["type"] == objects.FORUM:
        raise Refused("A forum takes posts only.")
    return channel


def _message(services: Services, user_id: str, id_: Any) -> Message:
    message = services.world.find_message(str(id_))
    if message is None or not may_read(services.world, user_id, message):
        raise Refused("There is no such message, or you do not see it.", 404)
    return message
