"""A message as the local Discord stores it."""

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
PINNED = 6
THREAD_CREATED = 18
REPLY = 19
CHAT_INPUT_COMMAND = 20
CONTEXT_MENU_COMMAND = 23


@dataclass(slots=True)
class Message:
    """`body` is the message as Discord writes it. `files` are all its attachments; the body lists only those that no
    embed and no component shows. `ephemeral_for` is the id of the only member who sees the message, or None.
    `interaction` is the id of the interaction that it answers, or None. `pinned_at` is when it was pinned, or ""."""

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
        """True if it is a deferred answer that has no text yet."""
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
        return asdict(self)
