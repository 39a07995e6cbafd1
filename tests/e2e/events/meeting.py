"""Two servers that play each other: their members, and how their managers begin matches and vote games."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.pencilbox import Pencilbox
from bot.sandbox import Sandbox
from bot.startup.system import SystemChance, SystemClock
from db.values.events import Event
from db.values.places import DiscordId
from tests.contract.checker import Contract
from tests.contract.player import Player, players_by_server
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import Json, buttons, message_with, open_settings, press, text_of, told
from tests.waiting import wait_until


class PushedClock(SystemClock):
    """The machine's clock, as much later as the test says."""

    later = timedelta(0)

    @classmethod
    def resumed(cls, at: str) -> "PushedClock":
        """Return a clock that shows this time now."""
        clock = cls()
        clock.later = datetime.fromisoformat(at) - datetime.now(UTC)
        return clock

    def now(self) -> datetime:
        return super().now() + self.later

    def monotonic(self) -> timedelta:
        return super().monotonic() + self.later


class VotersFirst(SystemChance):
    """Draws nothing, so that the voters move first."""

    def shuffled(self, users: Sequence[DiscordId]) -> tuple[DiscordId, ...]:
        return tuple(users)


@dataclass
class Meeting:
    """Two servers with two players each; Ada manages the hosts and Lise the guests."""

    bot: Pencilbox
    local: Sandbox
    clock: PushedClock
    ada: Player
    grace: Player
    lise: Player
    emmy: Player

    async def event(self) -> Event:
        return await self.bot.services.events.load(1)

    async def vote_over(self) -> None:
        """Let a vote of ten minutes end."""
        self.clock.later += timedelta(minutes=11)
        await self.bot.services.votes.round()
        self.bot.outbox.wake()

    async def departed(self) -> None:
        """Let the hosts' server remove the bot, and wait until the bot has noted it."""
        self.local.remove_bot()
        await wait_until(lambda: self.bot.services.store.servers.gone([int(self.local.world.guild["id"])]))


@asynccontextmanager
async def meeting(
    contract: Contract, folder: Path, clock: PushedClock | None = None, stored: Path | None = None
) -> AsyncIterator[Meeting]:
    """Start the bot for two servers, or for those of a stored local Discord."""
    clock = clock or PushedClock()
    world: Json = {"path": stored} if stored else {"members": ("Ada", "Grace", "Emmy"), "servers": 2}
    async with (
        Sandbox(**world, privileged=False, observe=contract) as local,
        bot_here(local.url, folder, clock=clock, chance=VotersFirst()) as bot,
        players_by_server(local.url, local.world) as ((ada, grace, _), (lise, emmy, _)),
    ):
        yield Meeting(bot, local, clock, ada, grace, lise, emmy)


async def begin(host: Player, label: str, **chosen: Any) -> None:
    """Let the manager of a server send one of the forms on the page for events."""
    page = await open_settings(host, "Events")
    await host.submit(await host.press(page, buttons(page)[label]), **chosen)


async def accept(host: Player, guest: Player, members: str, words: str) -> str:
    """Let a manager accept with the code that the manager of the other server got. Return the code.

    `members` says what the members of both servers do.
    """
    code = text_of(await told(host, f"in the channel where their members {members}")).split("`")[1]
    await begin(guest, "Enter a code", code=code)
    await press(guest, await told(guest, words), "Accept")
    return code


async def begin_votes(host: Player, guest: Player, game: str = "skull") -> str:
    """Begin a vote game between the servers of two managers. Return the code of the invitation."""
    terms = {"level": ["0"], "every": ["10"], "hour": ["after"], "shown": ["names"]}
    await begin(host, "Start a vote game", game=[game], **terms)
    return await accept(host, guest, "vote", "invites your server to a game of")


async def begin_match(
    host: Player, guest: Player, game: str, boards: int = 1, each: int = 1, clock: str = "3d"
) -> str:
    """Open a match between the servers of two managers, which members of both can then join. Return its code."""
    terms = {"boards": [str(boards)], "each": [str(each)], "clock": clock, "start": ["full"]}
    await begin(host, "Propose a match", game=[game], **terms)
    code = await accept(host, guest, "join", f", 0 of {boards}:** nobody yet\nIt starts")
    await told(guest, "Your server plays this match")
    return code


async def join_match(*people: Player) -> None:
    """Let members join on the card of their server."""
    for person in people:
        await press(person, await message_with(person, "Before you join"), "Join")
        await told(person, "You take part in this match")


def names(message: Json, *people: Player) -> set[str]:
    """Return who of some members is named in a message."""
    return {it.id for it in people if f"<@{it.id}>" in text_of(message)}
