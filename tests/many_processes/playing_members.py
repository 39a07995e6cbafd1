"""Members who play in all servers, whatever happens to the processes."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise

from bot.app.matches.loaded import LoadedMatch
from tests.bench.moves.playing import Game, Unanswered
from tests.many_processes.deployment import Deployment
from tests.many_processes.ledger import Ledger, Move

PAUSE = 0.5
"""Seconds after which a member tries again what was not answered."""
ANSWER = 10.0
"""Seconds after which a member whose press has changed nothing looks what became of it."""
READERS = 3
"""Games that are read at once: the store has five connections, and gives up waiting for one after some seconds."""


@dataclass
class Waited:
    """The times of a press in a server and of the board after it, in seconds of the machine's clock."""

    server: int
    pressed: float
    shown: float


@dataclass
class PlayingMembers:
    """Members who make moves in any server, and what they tried, waited for and met."""

    deployment: Deployment
    ledger: Ledger
    waited: list[Waited] = field(default_factory=list)
    troubles: Counter[str] = field(default_factory=Counter)
    """The kinds of errors that members met; of presses without an answer, Discord's reasons."""
    _reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(READERS))

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
                if all(server in first for server in servers):
                    return max((first[server] for server in servers), default=since) - since
                await asyncio.sleep(0.1)

    def longest_silence(self, since: float, until: float) -> float:
        """Return the longest time, in seconds, in which no move was shown in a server."""
        longest = 0.0
        for server in range(self.deployment.size.servers):
            shown = [one.shown for one in self.waited if one.server == server and since <= one.shown <= until]
            times = [since, *shown, until]
            longest = max(longest, *(after - before for before, after in pairwise(times)))
        return longest
