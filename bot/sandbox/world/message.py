"""A message as the local Discord keeps it."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from bot.sandbox.checks.components import walk
from bot.sandbox.json_types import Object

SUPPRESS_EMBEDS = 1 << 2
HAS_THREAD = 1 << 5
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_NOTIFICATIONS = 1 << 12
IS_COMPONENTS_V2 = 1 << 15

DEFAULT = 0
THREAD_CREATED = 18
REPLY = 19
CHAT_INPUT_COMMAND = 20
CONTEXT_MENU_COMMAND = 23


@dataclass(slots=True)
class Message:
    """`body` has Discord's own form. `files` are all its attachments: a body lists only those that it does not show
    inside an embed or a component. `ephemeral_for` is the one member who sees it, `interaction` the id of the
    interaction that it answers."""

    body: Object
    files: list[Object] = field(default_factory=list)
    ephemeral_for: str | None = None
    interaction: str | None = None

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
        """A deferred answer without its text yet."""
        return bool(self.flags & LOADING)

    def component(self, custom_id: str) -> Object | None:
        """The button or select menu with this custom id."""
        return next((one for one in walk(self.body["components"]) if one.get("custom_id") == custom_id), None)

    def texts(self) -> Iterator[str]:
        """Everything in it that may mention somebody."""
        yield self.body["content"]
        for component in walk(self.body["components"]):
            if component["type"] == 10:
                yield component["content"]

    def dump(self) -> Object:
        return asdict(self)
