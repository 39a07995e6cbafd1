"""Threads, started by the bot or by a member."""

from bot.sandbox.json_types import Object
from bot.sandbox.messages.drafts import Draft
from bot.sandbox.messages.messages import Messages
from bot.sandbox.world import objects
from bot.sandbox.world.events import ChannelMade, MessageEdited
from bot.sandbox.world.message import HAS_THREAD, Message
from bot.sandbox.world.world import World


def start(
    world: World, messages: Messages, parent: Object, owner: Object, name: str, *,
    kind: int = objects.PUBLIC_THREAD, archive_minutes: int = 4320, message_id: str | None = None,
    id_: str | None = None,
) -> Object:  # fmt: skip
    """Create a thread in `parent`. A thread that starts from a message has the id of that message. A public thread
    that does not is announced by a message in the parent channel."""
    made = world.now()
    id_ = id_ or message_id or world.new_id()
    thread = objects.thread(id_, parent, name, owner["id"], kind, made, archive_minutes)
    world.put_channel(thread)
    world.put_thread_members(id_, [objects.thread_member(id_, owner["id"], made)])
    world.publish(ChannelMade(thread))
    if message_id is not None:
        message = world.message(parent["id"], message_id)
        message.body["flags"] |= HAS_THREAD
        world.put_message(message)
        world.publish(MessageEdited(message))
    elif kind != objects.PRIVATE_THREAD and parent["type"] != objects.FORUM:
        messages.note_thread(parent, thread, owner)
    return thread


def post(
    world: World, messages: Messages, forum: Object, owner: Object, name: str, id_: str, draft: Draft
) -> tuple[Object, Message]:
    """Create a post in a forum: a public thread whose first message, `draft`, has the id of the thread."""
    thread = start(world, messages, forum, owner, name, id_=id_)
    return thread, messages.send(thread, owner, draft, extra={"id": id_})
