"""Interactions: a member opens one, the bot responds within three seconds and can follow up for fifteen minutes."""

import asyncio
import base64
import secrets
from collections.abc import Sequence
from typing import Any

from bot.sandbox import errors
from bot.sandbox.activities import Activities
from bot.sandbox.checks.components import modal
from bot.sandbox.checks.fields import (
    Check,
    Field,
    Problems,
    anything,
    checked,
    integer,
    many,
    nested,
    one_of,
    text,
)
from bot.sandbox.drafts import Draft, Upload
from bot.sandbox.gateway import payloads
from bot.sandbox.json_types import Object
from bot.sandbox.messages import Messages, reference_to
from bot.sandbox.world.events import InteractionFailed, InteractionOpened
from bot.sandbox.world.objects import server_of
from bot.sandbox.world.records import (
    ANSWER_WITHIN,
    CALLBACKS,
    CHAT_INPUT_COMMAND,
    COMMAND,
    CONTEXT_MENU_COMMAND,
    EPHEMERAL,
    LOADING,
    OF_A_MESSAGE,
    REPLY,
    Callback,
    Interaction,
    Message,
)
from bot.sandbox.world.world import World

DATA = ("data",)
"""The path of the message, the choices or the modal in a callback's body."""


class Interactions:
    """Opens interactions, accepts the bot's responses, and makes the member's call wait for the outcome."""

    def __init__(self, world: World, messages: Messages, activities: Activities) -> None:
        self._world = world
        self._activities = activities
        self._messages = messages
        self._waiting: dict[str, asyncio.Event] = {}
        self._deadlines: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Cancel all deadlines, and wake all waiting calls."""
        for task in self._deadlines:
            task.cancel()
        for waiting in self._waiting.values():
            waiting.set()

    # --- the member's side

    def open(
        self, kind: int, channel: Object, user_id: str, data: Object, *,
        source: str | None = None, cause: str | None = None,
    ) -> Interaction:  # fmt: skip
        """Send a new interaction to the bot, and return it."""
        world = self._world
        world.forget_old_interactions()
        id_ = world.new_id()
        made = Interaction(
            id_,
            _token(id_),
            kind,
            channel["id"],
            user_id,
            world.clock.time(),
            data,
            source=source,
            cause=cause,
            owners=payloads.owners(world, channel, user_id, data, source, cause),
        )
        world.put_interaction(made)
        self._waiting[id_] = asyncio.Event()
        deadline = asyncio.create_task(self._expire(made))
        self._deadlines.add(deadline)
        deadline.add_done_callback(self._deadlines.discard)
        world.publish(InteractionOpened(made))
        return made

    async def wait(self, interaction: Interaction) -> None:
        """Wait until the bot has responded or the deadline has passed."""
        await self._waiting[interaction.id].wait()

    async def _expire(self, interaction: Interaction) -> None:
        await self._world.clock.sleep(ANSWER_WITHIN)
        done = self._waiting.pop(interaction.id)
        done.set()
        if interaction.answered is None:
            self._world.publish(InteractionFailed(interaction.id, interaction.user_id))

    # --- the bot's side

    def answer(self, id_: str, token: str, body: Any, uploads: Sequence[Upload] = ()) -> Object:
        """Accept the bot's first response, and return the result of the callback.

        Raises DiscordError: 10003, 10062, 40060, 50006, 50035.
        """
        interaction = self._world.interactions.get(id_)
        if (
            interaction is None
            or interaction.token != token
            or interaction.missed_deadline(self._world.clock.time())
        ):
            raise errors.unknown_interaction()
        if interaction.answered is not None:
            raise errors.already_acknowledged()
        self._world.channel(interaction.channel_id)
        allowed = CALLBACKS[interaction.type]
        if interaction.source is None:
            allowed = tuple(one for one in allowed if one not in OF_A_MESSAGE)
        kind = one_of(*map(int, allowed))
        given = checked(body, {"type": Field(kind, required=True), "data": Field(anything)})
        message = self._take(interaction, given["type"], given.get("data") or {}, uploads)
        interaction.answered = given["type"]
        self._world.put_interaction(interaction)
        if id_ in self._waiting:
            self._waiting[id_].set()
        return self._response(interaction, message)

    def _take(
        self, interaction: Interaction, kind: int, data: Any, uploads: Sequence[Upload]
    ) -> Message | None:
        """Carry out the response. Return the message that was created or changed, or None."""
        match kind:
            case Callback.MESSAGE:
                reader = self._messages.draft_reader(interaction.channel_id, private=True)
                message = self._send(interaction, reader.read(data, uploads, path=DATA))
            case Callback.DEFERRED:
                message = self._send(interaction, Draft(flags=_ephemeral(data)), LOADING)
                interaction.thinking = True
            case Callback.DEFERRED_UPDATE:
                message = self._source(interaction)
            case Callback.UPDATE:
                message = self._edit(self._source(interaction), data, uploads, path=DATA)
            case Callback.CHOICES:
                interaction.choices = _choices(data, _focused(interaction.data))
                return None
            case Callback.LAUNCH_ACTIVITY:
                channel = self._world.channels[interaction.channel_id]
                interaction.launched = self._activities.launch(channel, interaction.user_id)
                return None
            case _:
                problems = Problems()
                interaction.modal = modal(problems, DATA, data)
                problems.raise_any()
                return None
        interaction.original = message.id
        return message

    def _source(self, interaction: Interaction) -> Message:
        message = self._world.find_message(interaction.source or "")
        if message is None:
            raise errors.unknown_message()
        return message

    def _response(self, interaction: Interaction, message: Message | None) -> Object:
        channel = self._world.channels[interaction.channel_id]
        about: Object = {"id": interaction.id, "type": interaction.type, "channel_id": channel["id"]}
        about |= server_of(channel)
        if interaction.launched is not None:
            opened = {"type": interaction.answered, "activity_instance": {"id": interaction.launched}}
            return {"interaction": about | {"activity_instance_id": interaction.launched}, "resource": opened}
        if message is None:
            return {"interaction": about}
        about |= {
            "response_message_id": message.id,
            "response_message_loading": message.loading,
            "response_message_ephemeral": message.ephemeral_for is not None,
        }
        if interaction.answered in (Callback.DEFERRED, Callback.DEFERRED_UPDATE):
            return {"interaction": about}
        resource = {"type": interaction.answered, "message": self._world.view(message)}
        return {"interaction": about, "resource": resource}

    # --- followups, by the interaction's token

    def by_token(self, webhook_id: str, token: str) -> Interaction:
        """Return the answered interaction of this token. Raises DiscordError: 10003, 10015, 50027."""
        if webhook_id != self._world.application["id"]:
            raise errors.unknown_webhook()
        found = next((one for one in self._world.interactions.values() if one.token == token), None)
        if found is None or found.token_expired(self._world.clock.time()):
            raise errors.invalid_webhook_token()
        if found.answered is None:
            raise errors.unknown_webhook()
        self._world.channel(found.channel_id)
        return found

    def followup(self, interaction: Interaction, body: Any, uploads: Sequence[Upload]) -> Message:
        """Post another message. Raises DiscordError 40094 if there are too many.

        After a deferred response the first followup replaces that response and keeps its visibility.
        """
        if interaction.followups_used_up:
            raise errors.too_many_followups()
        interaction.followups += 1
        self._world.put_interaction(interaction)
        if interaction.thinking:
            return self.edit(interaction, "@original", body, uploads, fresh=True)
        return self._send(
            interaction, self._messages.draft_reader(interaction.channel_id, private=True).read(body, uploads)
        )

    def message(self, interaction: Interaction, id_: str) -> Message:
        """Return a message of the interaction; "@original" is the first response. Raises DiscordError 10008."""
        wanted = interaction.original if id_ == "@original" else id_
        found = self._world.messages[interaction.channel_id].get(wanted or "")
        if found is None or not (found.id == interaction.original or found.interaction == interaction.id):
            raise errors.unknown_message()
        return found

    def edit(
        self, interaction: Interaction, id_: str, body: Any, uploads: Sequence[Upload], *, fresh: bool = False
    ) -> Message:
        message = self._edit(self.message(interaction, id_), body, uploads, fresh=fresh)
        if message.id == interaction.original and interaction.thinking:
            interaction.thinking = False
            self._world.put_interaction(interaction)
        return message

    def delete(self, interaction: Interaction, id_: str) -> None:
        message = self.message(interaction, id_)
        self._messages.remove(message)
        if message.id == interaction.original:
            interaction.original, interaction.thinking = None, False
            self._world.put_interaction(interaction)

    def _edit(
        self, message: Message, body: Any, uploads: Sequence[Upload], *,
        path: tuple[str, ...] = (), fresh: bool = False,
    ) -> Message:  # fmt: skip
        reader = self._messages.draft_reader(message.channel_id)
        draft = reader.read(body, uploads, path=path, before=message.body, kept=message.files)
        return self._messages.edit(message, draft, fresh=fresh)

    def _send(self, interaction: Interaction, draft: Draft, flags: int = 0) -> Message:
        """Post the first response, or a followup that replies to the first response."""
        world = self._world
        channel = world.channels[interaction.channel_id]
        extra: Object = {
            "application_id": world.application["id"],
            "webhook_id": world.application["id"],
            "interaction_metadata": payloads.metadata(world, interaction, first=interaction.original),
        }
        if interaction.type == COMMAND:
            about = {"id": interaction.id, "type": COMMAND, "name": _full_name(interaction.data)}
            extra["interaction"] = about | {"user": world.users[interaction.user_id]}
        answers = interaction.original or interaction.source
        kind = REPLY
        if answers is None:
            kind = CHAT_INPUT_COMMAND if interaction.data.get("type", 1) == 1 else CONTEXT_MENU_COMMAND
        else:
            extra["message_reference"] = reference_to(answers, channel)
        private = interaction.user_id if draft.flags & EPHEMERAL else None
        return self._messages.send(
            channel, world.bot, draft, kind=kind, flags=flags,
            ephemeral_for=private, interaction=interaction.id, extra=extra,
        )  # fmt: skip


def _token(id_: str) -> str:
    secret = f"interaction:{id_}:{secrets.token_hex(32)}"
    return base64.urlsafe_b64encode(secret.encode()).decode().rstrip("=")


def _ephemeral(data: Any) -> int:
    """Return the flag EPHEMERAL of a deferred response, or 0. Other flags are ignored."""
    given = checked(data, {"flags": Field(integer(0, 2**31 - 1), default=0)}, DATA)
    return int(given["flags"] & EPHEMERAL)


def _full_name(data: Object) -> str:
    """Return a command's name with its subcommands."""
    names = [data["name"]]
    while data.get("options") and data["options"][0]["type"] in (1, 2):
        data = data["options"][0]
        names.append(data["name"])
    return " ".join(names)


def _focused(data: Object) -> Object:
    """Return the option that the member is typing, or {}."""
    for option in data.get("options", []):
        if option.get("focused"):
            found: Object = option
            return found
        if inner := _focused(option):
            return inner
    return {}


def _choices(data: Any, option: Object) -> list[Object]:
    value: Check = text(0, 100) if option.get("type") == 3 else anything
    choice = {"name": Field(text(1, 100), required=True), "value": Field(value, required=True)}
    found = checked(data, {"choices": Field(many(nested(choice), 0, 25), required=True)}, DATA)
    choices: list[Object] = found["choices"]
    return choices
