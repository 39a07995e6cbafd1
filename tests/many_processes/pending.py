"""All that waits while processes come and go: games against computers, clocks that run out, offers and challenges."""

import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.app.matches.table import Table
from bot.sandbox.checks.components import walk
from tests.bench.moves.playing import Game
from tests.contract.player import Json, Player, Refused
from tests.many_processes.deployment import PATIENCE, Deployment
from tests.many_processes.playing_members import PlayingMembers

COMPUTER_GAMES = ("alaric", "skull", "xlines", "polygons", "maze", "palindromes")
AGAIN = 20.0
"""Seconds after which a member who sees no challenge challenges again."""
CLOCK = "1m"
"""The shortest clock that there is: a minute for each move."""


@dataclass
class Pending:
    """Everything that was begun, by server."""

    deployment: Deployment
    clocks: dict[int, int] = field(default_factory=dict)
    """The match whose clock runs out."""
    draws: dict[int, int] = field(default_factory=dict)
    """The match in which a draw is offered."""
    challenges: list[int] = field(default_factory=list)
    """The servers in which a challenge is open."""
    deadlines: dict[int, datetime] = field(default_factory=dict)
    """By match: the last deadline that was stored for it."""

    async def watch_deadlines(self) -> None:
        """Note deadlines as they are stored, until cancelled: what an absence costs is given back."""
        async with self.deployment.database() as connection:
            while True:
                for row in await connection.fetch(
                    "SELECT match_id, deadline FROM seats WHERE deadline IS NOT NULL"
                ):
                    self.deadlines[row["match_id"]] = row["deadline"]
                await asyncio.sleep(0.5)

    async def hurry(self) -> None:
        """Let the clocks run out in a few seconds, as if their minute were nearly over."""
        async with self.deployment.database() as connection:
            await connection.execute(
                "UPDATE seats SET deadline = now() + interval '3 s', remind_at = NULL WHERE deadline IS NOT NULL"
            )

    async def late(self, match: int) -> timedelta:
        """Wait until the clock of a match has run out; return how late that was noted."""
        async with asyncio.timeout(PATIENCE):
            while True:
                stored = await self.deployment.store.matches.load(match)
                assert stored is not None
                if stored.finished_at is not None:
                    assert [entry.text for entry in stored.log] == ["timeout"], stored.log
                    return stored.finished_at - self.deadlines[match]
                await asyncio.sleep(0.5)

    async def agree(self, server: int) -> None:
        """Agree to the draw; the match ends by it, once."""
        await self.press(server, "offers", "agree:")
        stored = None
        async with asyncio.timeout(PATIENCE):
            while stored is None or stored.finished_at is None:
                stored = await self.deployment.store.matches.load(self.draws[server])
                await asyncio.sleep(0.1)
        assert [entry.text for entry in stored.log] == ["draw"]

    async def accept(self, server: int) -> None:
        """Accept the open challenge; one game begins by it."""
        before = await self._matches(server)
        await self.press(server, "offers", "accept:")
        async with asyncio.timeout(PATIENCE):
            while await self._matches(server) == before:
                await asyncio.sleep(0.1)
        await asyncio.sleep(1)
        assert await self._matches(server) == before + 1

    async def _matches(self, server: int) -> int:
        async with self.deployment.database() as connection:
            channel = int(self.deployment.channel(server, "offers"))
            return int(await connection.fetchval("SELECT count(*) FROM matches WHERE channel = $1", channel))

    async def press(self, server: int, channel: str, start: str) -> None:
        """Let the second member press the newest button in a channel whose custom id begins like this."""
        await press_newest(
            self.deployment.members[server][1].elsewhere(self.deployment.channel(server, channel)), start
        )


async def press_newest(player: Player, start: str) -> None:
    """Press the newest button in a member's channel whose custom id begins like this, once there is one.

    What is not answered in time may have been done: then the button is gone.
    """
    pressed = False
    async with asyncio.timeout(PATIENCE):
        while True:
            found = next(_buttons(await player.messages(), start), None)
            if found is None and pressed:
                return
            if found is not None:
                pressed = True
                with suppress(Refused):
                    if (await player.press(*found))["outcome"] != "failed":
                        return
            await asyncio.sleep(0.5)


def _buttons(messages: Sequence[Json], start: str) -> Iterator[tuple[Json, str]]:
    """Yield the messages with buttons that can be pressed and whose custom ids begin like this, the newest first."""
    for message in reversed(messages):
        for part in walk(message["components"]):
            custom_id = str(part.get("custom_id", ""))
            if custom_id.startswith(start) and not part.get("disabled"):
                yield message, custom_id


async def begin(deployment: Deployment, playing_members: PlayingMembers, servers: Sequence[int]) -> Pending:
    """Begin in each of these servers a game against a computer player, a game with a clock in which nobody moves, and
    in turn an offer of a draw or an open challenge."""
    pending = Pending(deployment)
    await asyncio.gather(
        *(_begin_in(pending, playing_members, index, server) for index, server in enumerate(servers))
    )
    return pending


async def _begin_in(pending: Pending, playing_members: PlayingMembers, index: int, server: int) -> None:
    deployment = pending.deployment
    ada, grace = deployment.members[server]
    computers, clocks, offers = (
        deployment.channel(server, name) for name in ("computers", "clocks", "offers")
    )
    game = COMPUTER_GAMES[index % len(COMPUTER_GAMES)]
    await answered(ada.elsewhere(computers), "play", game=game, size="quick", level=index % 3 + 1)
    number = await _board_in(deployment, computers)
    stored = await deployment.store.matches.load(number)
    assert stored is not None
    seats = {seat: ada.elsewhere(computers) for seat, user in enumerate(stored.users) if user == int(ada.id)}
    against = Game(deployment.watch, seats, number, Table.of(stored).match, random.Random(number))
    playing_members.against_computers.append((server, against))
    await challenge_until_seen(deployment, ada.elsewhere(clocks), grace, game="skull", clock=CLOCK)
    await pending.press(server, "clocks", "accept:")
    pending.clocks[server] = await _board_in(deployment, clocks)
    await challenge_until_seen(deployment, ada.elsewhere(offers), grace, game="alaric")
    if index % 2:
        pending.challenges.append(server)
        return
    await pending.press(server, "offers", "accept:")
    pending.draws[server] = await _board_in(deployment, offers)
    await answered(ada.elsewhere(offers), "draw", game=pending.draws[server])


async def answered(player: Player, command: str, **options: object) -> Json:
    """Use a command until it is answered in time, which a busy machine may fail to do."""
    async with asyncio.timeout(PATIENCE):
        while True:
            answer: Json = await player.post("command", channel=player.channel, name=command, options=options)
            if answer["outcome"] != "failed":
                return answer
            await asyncio.sleep(1)


async def challenge_until_seen(
    deployment: Deployment, challenger: Player, other: Player, **options: object
) -> None:
    """Challenge until the challenge can be accepted: one whose answer came too late is withdrawn."""
    messages, channel = deployment.local.world.messages, challenger.channel
    while True:
        await answered(challenger, "challenge", member=other.id, **options)
        with suppress(TimeoutError):
            async with asyncio.timeout(AGAIN):
                while not any(_buttons([one.body for one in messages[channel].values()], "accept:")):
                    await deployment.watch.change(channel)
                return


async def _board_in(deployment: Deployment, channel: str) -> int:
    """Wait for the first board in a channel; return its match."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for match, (message, _) in deployment.watch.boards.items():
                if message.channel_id == channel:
                    return match
            await deployment.watch.change(channel)
