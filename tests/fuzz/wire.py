"""A real bot on the local Discord, both in this process: any interaction can be sent to it, and all that it does is
seen."""

import asyncio
import logging
import re
import sqlite3
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import structlog

from bot.app.errors import Refused
from bot.client import ShardClient
from bot.sandbox import Sandbox
from bot.sandbox.rest.wire import Exchange
from bot.sandbox.world.events import Event, GuildChanged, MessageSent
from bot.sandbox.world.records import Interaction, Message
from db.address import FILE_NAME
from db.values.places import DIRECT
from rules.core.errors import RuleError
from tests.contract.player import Player, players
from tests.e2e.bot_in_process import bot_here
from tests.waiting import PATIENCE

Json = dict[str, Any]
TASKS = re.compile(r"discord-ui-|CommandTree-invoker|discord\.py: on_interaction")
"""Names of the tasks in which discord.py answers an interaction."""
REFUSED = ("request.refused", "answer.not_delivered")
"""Warnings that tell of a message that Discord did not take: the bot made a wrong one."""
DEADLINES = ("world.records", "interactions.interactions")
"""The modules of the local Discord that know how long an interaction waits for its first answer."""
SERVER = "@everyone **Club** `<@&1>` ||x|| \u202eedis\u202c\u200b [a](http://b.c) " + "W" * 50
CHANNELS = ("@here-\u202e||general||-" + "\u0301" * 80, "lounge")
MEMBERS = (
    "@everyone **a** `b` ||c|| <@&1>",
    "\u202eecarG\u202c\u200b#12 ~~_*`",
    "ﷺﷺ😀🏴\U000e0067\U000e007f" + "Ẁ\u0300\u0301" * 8,
)
"""Names of the server, its channels and its members that would ping, format or turn what stands beside them."""
ALIVE = "alive"
"""The table that says every few seconds that the bot is there."""


class Errors(logging.Handler):
    """Keeps what is logged as an error, or with a traceback, by the bot and by its libraries."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR or record.exc_info:
            self.lines.append(self.format(record))

    def processor(
        self, logger: object, method: str, event: structlog.types.EventDict
    ) -> structlog.types.EventDict:
        """Take a line of structlog."""
        if "attachment://" in str(event.get("detail")):
            raise structlog.DropEvent  # the forged message has none of the pictures that the bot means to keep
        if method in ("error", "exception", "critical") or event.get("exc_info") or event["event"] in REFUSED:
            trace = traceback.format_exc() if event.pop("exc_info", None) else ""
            self.lines.append(f"{event}\n{trace}")
        raise structlog.DropEvent


@dataclass
class Told:
    """The effects of an interaction: messages that the bot sent or changed, and members whom they pinged."""

    interaction: Interaction
    messages: list[Message] = field(default_factory=list)
    pinged: list[str] = field(default_factory=list)
    raised: list[str] = field(default_factory=list)
    """The sentences of all refusals that were raised meanwhile."""
    requests: list[Exchange] = field(default_factory=list)

    @property
    def private(self) -> list[Message]:
        """The messages that only the member who acted sees, which are still there."""
        return [one for one in self.messages if one.ephemeral_for is not None]

    def refusal(self) -> str | None:
        """The sentence of the refusal that the member got; None if the answer is anything else."""
        for message in self.private:
            said = "\n".join(message.texts()).strip()
            if said in self.raised:
                return said
        return None


class Wire:
    """Sends interactions as Discord does, whatever is in them."""

    def __init__(self, local: Sandbox, bot: ShardClient, folder: Path, people: list[Player]) -> None:
        self.local, self.bot = local, bot
        self.ada, self.grace, self.emmy = people
        self.errors = Errors()
        self.requests: list[Exchange] = []
        self._database = sqlite3.connect(folder / FILE_NAME)
        self._told: Told | None = None
        self._rows: tuple[int, dict[str, list[Any]]] = (-1, {})
        local.world.listen(self._event)

    async def rename(self) -> None:
        """Give the server, its channels and its members their hostile names, and wait until the bot knows them."""
        world = self.local.world
        world.guild["name"] = SERVER
        for channel, name in zip(
            [it for it in world.channels.values() if it["type"] == 0], CHANNELS, strict=True
        ):
            channel["name"] = name
        for player, name in zip((self.ada, self.grace, self.emmy), MEMBERS, strict=True):
            world.users[player.id]["global_name"] = name
        world.publish(GuildChanged(world.guild))

    def close(self) -> None:
        self._database.close()

    async def interact(
        self,
        kind: int,
        channel: Json,
        user: str,
        data: Json,
        *,
        source: str | None = None,
        cause: str | None = None,
    ) -> Told:
        """Send an interaction, and return what it led to once the bot is done with it."""
        services = self.local.services
        seen = asyncio.Event()

        async def arrived(interaction: object) -> None:
            seen.set()

        self.bot.add_listener(arrived, "on_interaction")
        try:
            with services.world.store.transaction():
                opened = services.interactions.open(kind, channel, user, data, source=source, cause=cause)
            self._told = told = Told(opened)
            async with asyncio.timeout(60):
                await seen.wait()
                while working := [task for task in asyncio.all_tasks() if TASKS.match(task.get_name())]:
                    await asyncio.wait(working)
        finally:
            self.bot.remove_listener(arrived, "on_interaction")
            self._told = None
        told.requests, self.requests[:] = [*self.requests], []
        latest = {one.id: one for one in told.messages}
        told.messages = [one for one in latest.values() if services.world.find_message(one.id)]
        return told

    def version(self) -> int:
        """A number that changes whenever the bot writes into its database."""
        return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    def rows(self) -> dict[str, list[Any]]:
        """All that is stored, by table."""
        version = self.version()
        tables = [
            name for (name,) in self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        if self._rows[0] == version:
            return self._rows[1]
        self._rows = (
            version,
            {
                name: sorted(map(repr, self._database.execute(f'SELECT * FROM "{name}"')))
                for name in tables
                if name != ALIVE
            },
        )
        return self._rows[1]

    def note(self, refusal: Exception) -> None:
        """Take a refusal that was raised."""
        if self._told is not None:
            self._told.raised.append(str(refusal))

    def _event(self, event: Event) -> None:
        message = getattr(event, "message", None)
        if self._told is None or not isinstance(message, Message):
            return
        if message.author_id == self.local.world.bot["id"]:
            self._told.messages.append(message)
        if isinstance(event, MessageSent) and message.interaction == self._told.interaction.id:
            self._told.pinged += event.pinged


@asynccontextmanager
async def wired(folder: Path) -> AsyncIterator[Wire]:
    """A bot in a server with three members, where nothing has happened. Ada owns the bot, and has `/admin` there."""
    # On a busy machine a good answer may come late, which is no finding.
    first, second = (patch(f"bot.sandbox.{module}.ANSWER_WITHIN", PATIENCE) for module in DEADLINES)
    with first, second:
        async with _wired(folder) as wire:
            yield wire


@asynccontextmanager
async def _wired(folder: Path) -> AsyncIterator[Wire]:
    requests: list[Exchange] = []
    async with (
        Sandbox(channels=("general", "lounge"), observe=requests.append) as local,
        bot_here(local.url, folder, int(local.world.guild["id"])) as bot,
        players(local.url, local.world) as people,
    ):
        client = bot.clients.of(DIRECT)
        assert isinstance(client, ShardClient)
        wire = Wire(local, client, folder, people)
        wire.requests = requests
        await wire.rename()
        before = structlog.get_config()
        structlog.configure(processors=[wire.errors.processor])
        logging.getLogger().addHandler(wire.errors)
        try:
            with seen_by(wire.note, Refused), seen_by(wire.note, RuleError):
                yield wire
        finally:
            logging.getLogger().removeHandler(wire.errors)
            structlog.configure(**before)
            wire.close()


@contextmanager
def seen_by(note: Callable[[Exception], None], kind: type[Exception]) -> Iterator[None]:
    """Let a function see every error of a kind when it is made."""
    make = kind.__init__

    def noting(self: Exception, *args: object) -> None:
        make(self, *args)
        note(self)

    with patch.object(kind, "__init__", noting):
        yield
