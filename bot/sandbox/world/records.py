"""Messages and interactions as the local Discord stores them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import IntEnum

from bot.sandbox.checks.components import walk
from bot.sandbox.json_types import Object

SUPPRESS_EMBEDS = 1 << 2
HAS_THREAD = 1 << 5
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_NOTIFICATIONS = 1 << 12
IS_COMPONENTS_V2 = 1 << 15

DEFAULT = 0
PINNED = 6
THREAD_CREATED = 18
REPLY = 19
CHAT_INPUT_COMMAND = 20
CONTEXT_MENU_COMMAND = 23


def _shallow(record: "Message | Interaction") -> Object:
    """Return the fields by name. Values are not copied, as `dataclasses.asdict` does at a high price."""
    return {one.name: getattr(record, one.name) for one in fields(record)}


@dataclass(slots=True)
class Message:
    """A message.

    `body` is the message in Discord's format. `files` are all attachments; the body lists only those that no embed and
    no component shows. `ephemeral_for` is the id of the only member who sees the message, or None. `interaction` is the
    id of the interaction that the message responds to, or None. `pinned_at` is the time of the pin, or "".
    """

    body: Object
    files: list[Object] = field(default_factory=list)
    ephemeral_for: str | None = None
    interaction: str | None = None
    pinned_at: str = ""

    @property
    def id(self) -> str:
        return str(self.body["id"])

    @property
    def channel_id(self) -> str:
        return str(self.body["channel_id"])

    @property
    def author_id(self) -> str:
        return str(self.body["author"]["id"])

    @property
    def flags(self) -> int:
        return int(self.body["flags"])

    @property
    def loading(self) -> bool:
        """Return True if this is a deferred response without text."""
        return bool(self.flags & LOADING)

    def component(self, custom_id: str) -> Object | None:
        """Return the button or select menu with this custom id, or None."""
        return next((one for one in walk(self.body["components"]) if one.get("custom_id") == custom_id), None)

    def texts(self) -> Iterator[str]:
        """Yield the texts of the message, which may mention somebody."""
        yield self.body["content"]
        for component in walk(self.body["components"]):
            if component["type"] == 10:
                yield component["content"]

    def dump(self) -> Object:
        return _shallow(self)


ANSWER_WITHIN = 3.0
"""Seconds in which the bot must send its first response."""
TOKEN_LIVES = 15 * 60.0
"""Seconds for which the token of an interaction is valid."""
MOST_FOLLOWUPS = 5
"""The largest number of followups if the application is not installed by the server of the interaction."""

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5


class Callback(IntEnum):
    """The types of the first response."""

    MESSAGE = 4
    DEFERRED = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9
    LAUNCH_ACTIVITY = 12


CALLBACKS = {
    COMMAND: (Callback.MESSAGE, Callback.DEFERRED, Callback.MODAL, Callback.LAUNCH_ACTIVITY),
    COMPONENT: (
        Callback.MESSAGE,
        Callback.DEFERRED,
        Callback.DEFERRED_UPDATE,
        Callback.UPDATE,
        Callback.MODAL,
        Callback.LAUNCH_ACTIVITY,
    ),
    AUTOCOMPLETE: (Callback.CHOICES,),
    MODAL_SUBMIT: (
        Callback.MESSAGE,
        Callback.DEFERRED,
        Callback.DEFERRED_UPDATE,
        Callback.UPDATE,
        Callback.LAUNCH_ACTIVITY,
    ),
}
"""The types of the first response, by type of the interaction."""
OF_A_MESSAGE = (Callback.DEFERRED_UPDATE, Callback.UPDATE)
"""The types of the first response that need the message of a component."""


@dataclass(slots=True)
class Interaction:
    """An interaction.

    `created` is in seconds since 1970. `data` is the choice of the member in Discord's format. `source` is the id of
    the message of a used component, and `cause` is the id of the interaction that opened a submitted modal. `answered`
    is the type of the first response, and `original` is the id of its message ("@original"). `thinking` is True until
    a deferred response gets its text. `modal` is the opened modal, `choices` is the response to an autocomplete, and
    `launched` is the instance of the Activity that was opened.
    `owners` is the `authorizing_integration_owners`: under "0" the server ("0" in direct messages with the bot), under
    "1" the member. `followups` is the number of followups.
    """

    id: str
    token: str
    type: int
    channel_id: str
    user_id: str
    created: float
    data: Object = field(default_factory=dict)
    source: str | None = None
    cause: str | None = None
    answered: int | None = None
    original: str | None = None
    thinking: bool = False
    modal: Object | None = None
    choices: list[Object] | None = None
    launched: str | None = None
    owners: Object = field(default_factory=dict)
    followups: int = 0

    def missed_deadline(self, now: float) -> bool:
        """Return whether the bot has not responded in time."""
        return self.answered is None and now - self.created >= ANSWER_WITHIN

    def token_expired(self, now: float) -> bool:
        """Return whether the token is no longer valid for followups and edits."""
        return now - self.created >= TOKEN_LIVES

    @property
    def followups_used_up(self) -> bool:
        """Return True if no further followup is allowed."""
        return "0" not in self.owners and self.followups >= MOST_FOLLOWUPS

    def dump(self) -> Object:
        return _shallow(self)
