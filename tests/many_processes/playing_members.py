"""Members who play in all servers, whatever happens to the processes."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise

from bot.app.matches.loaded import LoadedMatch
from render.games import HOSTED_GAMES
from tests.bench.moves.playing import Game, Unanswered
from tests.bench.moves.positions import Placed, at_stage, store_matches
from tests.many_processes.deployment import Deployment
from tests.many_processes.ledger import Ledger, Move

PAUSE = 0.5
"""Seconds after which a member tries again what was not answered."""
ANSWER = 10.0
"""Seconds after which a member whose press has changed nothing looks what became of it."""
READERS = 3
"""Games that are read at once: the store has five connections, and gives up waiting for one after some seconds."""
KINDS = len(HOSTED_GAMES)


@dataclass
class Waited:
    """When a move of a server was pressed and when its board was there, in seconds of the machine's clock."""

    server: int
    pressed: float
    shown: float


@dataclass
class PlayingMembers:
    """Games of members in every server, which go on from position to position and are replaced when they end."""

    deployment: Deployment
    ledger: Ledger
    pools: list[list[Game]]
    """By server: the games that are still to be played."""
    waited: list[Waited] = field(default_factory=list)
    _think: float = 0.0
    troubles: Counter[str] = field(default_factory=Counter)
    """The kinds of errors that members met; of presses without an answer, Discord's reasons."""
    _reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(READERS))

    @asynccontextmanager
    async def playing(self, think: float, most: int | None = None) -> AsyncIterator[None]:
        """Let members play as long as the context lasts: in all servers, or in `most` of them.

        They think for so many seconds before each move. Who does not think at all may overload the machine.
        """
        self._think = think
        tasks = [asyncio.create_task(self._play_in(server)) for server in range(len(self.pools))[:most]]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            for end in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(end, Exception):
                    raise end

    async def _play_in(self, server: int) -> None:
        pool = self.pools[server]
        while pool:
            game = pool[0]
            while not game.match.over:
                await asyncio.sleep(self._think * game.chance.uniform(0.5, 1.5))
                await self.move(server, game)
            pool.pop(0)

    async def move(self, server: int, game: Game) -> Move | None:
        """Make a move, or find out what became of it. Return the move as the store holds it, unless it is uncertain."""
        press = None
        try:
            async with asyncio.timeout(ANSWER):
                press = await game.next_press()
            # The store holds the canonical text of a move.
            move = game.match.play(game.seat_of(press.player), press.text).log[-1]
            self.ledger.tried[game.number][move] += 1
            pressed = time.monotonic()
            async with asyncio.timeout(ANSWER):
                await game.play(press)
        except Exception as error:
            # A process may end at any point of this, so what the member sees may be of any kind.
            self.troubles[str(error) if isinstance(error, Unanswered) else type(error).__name__] += 1
            self.ledger.uncertain += press is not None
            await asyncio.sleep(PAUSE)
            await self.bring_up_to_date(game)
            return None
        self.ledger.accepted[game.number][move] += 1
        self.waited.append(Waited(server, pressed, time.monotonic()))
        return move

    async def bring_up_to_date(self, game: Game) -> None:
        """Read a game as it is stored, and wait a while for its board, which comes once its shard is served again."""
        async with self._reading:
            stored = await self.deployment.store.matches.load(game.number)
        assert stored is not None
        loaded = LoadedMatch.of(stored)
        game.match = loaded.match
        with suppress(TimeoutError):
            await game.board(loaded.shown)

    async def answered_again(self, servers: Sequence[int], since: float, patience: float) -> float:
        """Wait until a move that was pressed after `since` is shown in each of these servers; return the seconds."""
        async with asyncio.timeout(patience):
            while True:
                first = {}
                for waited in reversed(self.waited):
                    if waited.pressed < since:
                        break
                    first[waited.server] = waited.shown
                if all(server in first or not self.pools[server] for server in servers):
                    return (
                        max((first[server] for server in servers if server in first), default=since) - since
                    )
                await asyncio.sleep(0.1)

    def longest_silence(self, since: float, until: float) -> float:
        """Return the longest time, in seconds, in which no move was shown in a server that had a game."""
        longest = 0.0
        for server in range(len(self.pools)):
            shown = [one.shown for one in self.waited if one.server == server and since <= one.shown <= until]
            times = [since, *shown, until]
            longest = max(longest, *(after - before for before, after in pairwise(times)))
        return longest


async def playing_members(deployment: Deployment, ledger: Ledger, games: int) -> PlayingMembers:
    """Return playing members who have so many games to play in each server, one after the other; all kinds in turn."""
    deployment.local.world.listen(ledger.hear)
    placed, where = [], []
    guilds = [int(id_) for id_ in deployment.local.world.guilds]
    for index in range(games):
        for server, people in enumerate(deployment.members):
            match = at_stage(HOSTED_GAMES[(server + index) % KINDS], "early", (server + index) % 7, 0)
            channel = deployment.channel(server, "general")
            placed.append(Placed(match, guilds[server], int(channel), [int(one.id) for one in people]))
            where.append((server, match, channel))
    pools: list[list[Game]] = [[] for _ in deployment.members]
    for number, (server, match, channel) in zip(
        await store_matches(deployment.folder, placed, deployment.url), where, strict=True
    ):
        seats = {seat: one.elsewhere(channel) for seat, one in enumerate(deployment.members[server])}
        pools[server].append(Game(deployment.watch, seats, number, match, random.Random(number)))
        ledger.begun[number] = len(match.log)
    return PlayingMembers(deployment, ledger, pools)
