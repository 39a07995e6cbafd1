"""One soak on one database: members do everything for some minutes, little is disturbed, and all is checked."""

import asyncio
import os
import time
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from traceback import extract_tb
from typing import Any

from bot.sandbox import Fault
from tests.bench.moves.clock import resident
from tests.contract.player import Player
from tests.many_processes.deployment import CHANNELS, Deployment, Size, deployment
from tests.soak.campaign import Campaign
from tests.soak.checks import answers_came, logs_are_clean, memory_is_flat
from tests.soak.games import Seats
from tests.soak.timings import Timings, Waited, percentiles

SERVERS = 4
TABLES = 24
"""Channels of each server in which two members play."""
FREE = 0.5
"""The number of times in a second that a member uses anything that they see."""
SAMPLE = 10.0
"""Seconds between two looks at the memory."""
LOOK = 0.1
"""Seconds between two looks at how late the event loop is."""
AFTERWARDS = 150.0
"""Seconds within which what was begun must come to its end; a clock takes a minute."""
AFTERMATH = 45.0
"""Seconds after a disturbance in which presses may fail."""
BOARD = ("POST", "/channels/{channel_id}/messages")


class Soak:
    """Everything that runs, and what was seen of it."""

    def __init__(
        self, deployment: Deployment, timings: Timings, minutes: float, pace: float, bots: int
    ) -> None:
        self.deployment, self.timings = deployment, timings
        self.minutes, self.pace, self.bots = minutes, pace, bots
        self.disturbed: list[tuple[float, float]] = []
        self.memory: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        """By process: the number of moves so far, and the MiB that it had then."""
        self._latest = 0.0

    async def run(self) -> list[str]:
        """Return a sentence for everything that was wrong."""
        group = await self._group()
        seats = [
            Seats(
                server,
                [member.elsewhere(self.deployment.channel(server, f"channel-{number}")) for member in pair],
            )
            for number in range(len(CHANNELS), len(CHANNELS) + TABLES)
            for server, (ada, grace, *_, visitor) in enumerate(self.deployment.members)
            for pair in [(ada, grace if number % 2 else visitor)]
        ]
        self.campaign = campaign = Campaign(self.deployment, [*seats, Seats(-1, group[:2])])
        self.deployment.local.world.listen(campaign.ledger.hear)
        self.timings.listen(self.deployment.local)
        await campaign.games.store()
        await self.deployment.start_bots(self.bots)
        await campaign.games.shown()
        began = time.monotonic()
        wrong: list[str] = []
        beside = [self._failing(wrong, *one) for one in self._activities(group)]
        looking = [asyncio.create_task(one) for one in (self._look(), self._feel(), self._tell(began))]
        async with campaign.playing(self.pace, beside):
            await self._disturb(began)
            await asyncio.sleep(began + 60 * self.minutes - time.monotonic())
        for task in looking:
            task.cancel()
        for end in await asyncio.gather(*looking, return_exceptions=True):
            if isinstance(end, Exception):
                raise end
        return [*wrong, *await self._check(began)]

    async def _group(self) -> list[Player]:
        """Let the members of the first server use the bot in direct messages; return them in a group of theirs."""
        people = self.deployment.members[0]
        for player in people:
            await player.post("install")
        group = await people[0].post("direct", **{"with": [one.id for one in people[1:3]], "name": "Friends"})
        return [player.elsewhere(group["id"]) for player in people]

    def _activities(self, group: Sequence[Player]) -> list[tuple[str, Coroutine[Any, Any, None]]]:
        deployment, activities = self.deployment, self.campaign.activities
        found: list[tuple[str, Coroutine[Any, Any, None]]] = []

        def at(server: int, channel: str) -> list[Player]:
            return [one.elsewhere(deployment.channel(server, channel)) for one in deployment.members[server]]

        for server in range(2):
            found += [
                ("computers", activities.against_computers(at(server, "computers")[0], 3 * server)),
                ("clocks", activities.clocks(*at(server, "clocks")[:2])),
                ("offers", activities.offers(*at(server, "offers")[:2])),
            ]
        # Who has opened many challenges may open no more: so this pair uses nothing else, here or in the group.
        found.append(("challenges", activities.challenges(*at(1, "general")[2:4])))
        # A member of each other server plays no game of the ledger: they may press whatever there is.
        free = [at(server, "general")[2:3] for server in range(2, SERVERS)]
        found.append(("anything", activities.anything([*free, [group[2]]], FREE)))
        return found

    async def _failing(self, wrong: list[str], name: str, activity: Coroutine[Any, Any, None]) -> None:
        doing = asyncio.create_task(activity)
        await asyncio.wait(
            [doing, asyncio.create_task(self.campaign.activities.over.wait())], return_when="FIRST_COMPLETED"
        )
        try:
            async with asyncio.timeout(AFTERWARDS):
                await doing
        except (AssertionError, TimeoutError) as error:
            line = next(
                (it.lineno for it in extract_tb(error.__traceback__) if "activities" in it.filename), 0
            )
            wrong.append(
                f"{name} did not come to their end (activities.py:{line}): {type(error).__name__} {error}"
            )

    # --- disturbances

    async def _disturb(self, began: float) -> None:
        """Disturb a little: a reconnection of the gateway, a 502, and a restart where there are several processes."""
        whole = 60 * self.minutes
        for share, what, disturb in (
            (0.15, "the gateway asks to reconnect", self._reconnect),
            (0.25, "one board is answered with 502", self._bad_gateway),
            (0.35, "one process is restarted", self._restart),
        ):
            if disturb == self._restart and self.bots < 2:
                continue
            await asyncio.sleep(began + share * whole - time.monotonic())
            print(f"-- {what}", flush=True)
            since = time.monotonic()
            await disturb()
            self.disturbed.append((since - 3, time.monotonic() + AFTERMATH))

    async def _reconnect(self) -> None:
        self.deployment.local.services.gateway.reconnect()

    async def _bad_gateway(self) -> None:
        self.deployment.local.faults.plan(*BOARD, Fault.BAD_GATEWAY)

    async def _restart(self) -> None:
        await self.deployment.stop(next(iter(self.deployment.processes)))
        await self.deployment.start("bot")
        await self.deployment.all_served()

    # --- figures

    async def _look(self) -> None:
        """Look at the memory of all processes, for ever."""
        while True:
            for name, process in self.deployment.processes.items():
                if process.running:
                    self.memory[name].append((self.campaign.ledger.moves, resident(process.pid)))
            await asyncio.sleep(SAMPLE)

    async def _feel(self) -> None:
        """Note, for ever, by how much this process is late, which is the local Discord and the members in one."""
        while True:
            due = time.monotonic() + LOOK
            await asyncio.sleep(LOOK)
            self._latest = max(self._latest, time.monotonic() - due)

    async def _tell(self, began: float) -> None:
        """Print a line every minute, for ever."""
        minute, before = 0, 0
        while True:
            minute += 1
            await asyncio.sleep(began + 60 * minute - time.monotonic())
            since, moves = time.monotonic() - 60, self.campaign.ledger.moves
            now = ", ".join(
                f"{name} {samples[-1][1]:.0f}"
                for name, samples in self.memory.items()
                if name in self.deployment.processes
            )
            print(
                f"minute {minute}: {moves} moves (+{moves - before}), "
                f"{self.campaign.games.finished} games finished; MiB: {now}; "
                f"{self._times(since)}; load {os.getloadavg()[0]:.1f}, "
                f"the local Discord at most {1000 * self._latest:.0f} ms late",
                flush=True,
            )
            before, self._latest = moves, 0.0

    def _times(self, since: float = 0.0) -> str:
        boards = _line(
            percentiles([Waited(it.pressed, it.shown) for it in self.campaign.people.waited], since)
        )
        return f"press to board {boards} ms; acknowledgement {_line(percentiles(self.timings.acknowledged, since))} ms"

    async def _check(self, began: float) -> list[str]:
        """Check everything, and print the figures of the whole."""
        seconds, campaign = time.monotonic() - began, self.campaign
        wrong = await campaign.wrong()
        games, ledger = campaign.games, campaign.ledger
        print(
            f"{ledger.moves} moves of members in {seconds / 60:.1f} minutes, {games.finished} of their games "
            f"finished; {games.late} moves were not made in time, as nobody was free\n"
            f"beside: {dict(campaign.activities.done)}; interactions: {dict(self.timings.used)}\n"
            f"median, 95th and 99th percentile: {self._times()}\n"
            f"the latest clock was decided {campaign.activities.latest.total_seconds():.1f} s after its deadline\n"
            f"{ledger.uncertain} presses whose end the member could not see; "
            f"what members met: {dict(campaign.people.troubles) or 'nothing'}"
        )
        wrong += memory_is_flat(self.memory)
        wrong += answers_came(self.timings.acknowledged, self.timings.unanswered, self.disturbed, began)
        wrong += logs_are_clean(self.deployment, campaign.rows)
        return wrong


def _line(found: tuple[float, float, float]) -> str:
    return " / ".join(f"{one:.0f}" for one in found)


async def soak(database: str, minutes: float, pace: float, bots: int) -> list[str]:
    """Let members play on a database, `sqlite` or `postgresql`, and return a sentence for everything that was wrong."""
    sqlite = database == "sqlite"
    size = Size(
        servers=SERVERS,
        shards=1 if sqlite else 2 * bots,
        at_once=2 * bots,
        channels=len(CHANNELS) + TABLES,
        members=("Ada", "Grace", "Emmy", "Sonja", "Maryam"),
        visitor=True,
    )
    timings = Timings()
    made = deployment(size, sqlite=sqlite, module="tests.bench.moves.server_bot", observe=timings.observe)
    async with made as there:
        return await Soak(there, timings, minutes, pace, bots).run()
