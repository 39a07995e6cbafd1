"""Kills of searching processes and of the bot, while a computer player thinks."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

from bot.sandbox import Sandbox
from db.engine import open_store
from tests.contract.player import Player
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.computers.against import begun, my_turn
from tests.e2e.panels import Panel
from tests.e2e.play import by_command, legal
from tests.seeds import chance_for

PATIENCE = 60.0
"""Seconds after which a wait fails the test; nothing is measured against it."""
LONGEST = 0.2
"""Seconds of a search before a kill, at most."""
STARTING = 3.0
"""Seconds after which no search is expected any more: the answer needed none, or was there too soon to be seen."""
GAMES = ("cocomposite", "alaric", "xlines")


def workers_of(folder: Path, *, busy: bool = False) -> list[int]:
    """Return the search workers of the bot with this data folder, whose output goes to a file there.

    With `busy` only those that compute at this moment; the others wait for a question.
    """
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if b"bestmove" in (process / "cmdline").read_bytes():
                state, parent, *_ = (process / "stat").read_text().rpartition(")")[2].split()
                if str(folder) in os.readlink(f"/proc/{parent}/fd/1") and (state == "R" or not busy):
                    found.append(int(process.name))
    return found


def _is_worker(process: int) -> bool:
    """True while this process runs and is a search worker."""
    try:
        return b"bestmove" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


class Kills:
    """A member who plays on against the strongest level, whatever is killed. Counts the kills that hit a search."""

    def __init__(self, local: Sandbox, member: Player, folder: Path, seed: int) -> None:
        self._local, self._member, self._folder = local, member, folder
        self._chance = chance_for(seed)
        self._game: Panel | None = None
        self._seen: set[int] = set()
        self.kills = 0
        self.hits = 0
        self.games = 0

    async def of_workers(self, hits: int) -> None:
        """Kill the searching processes until this many kills have hit a search; the bot lives on."""
        async with bot_at(self._local.url, self._folder) as bot:
            while self.hits < hits:
                await self._move()
                self._count()
                for worker in workers_of(self._folder):
                    with suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGKILL)
                await self._answered()
            assert "Traceback" not in bot.log, bot.log

    async def of_the_bot(self, hits: int) -> None:
        """Kill the bot until this many kills have hit a search."""
        stored = False
        while self.hits < hits:
            async with bot_at(self._local.url, self._folder) as bot:
                if stored:
                    await self._answered()
                await self._move()
                self._count()
                await bot.kill()
            stored = await self._is_stored()
        async with bot_at(self._local.url, self._folder) as bot:
            if stored:
                await self._answered()
            await self._no_orphans(bot)

    def _count(self) -> None:
        """Count the kill that follows."""
        self.kills += 1
        self.hits += bool(workers_of(self._folder, busy=True))

    async def _move(self) -> None:
        """Make a move, in a new game if there is none, and wait for a random moment of the answer."""
        if self._game is None or self._game.turn is None:
            self.games += 1
            game = self._chance.choice(GAMES)
            self._game = await begun(self._member, game, "standard", 5, order="first")
        move = self._chance.choice(await legal(self._member, self._game))
        await by_command(self._member, self._game, move)
        with suppress(TimeoutError):
            async with asyncio.timeout(STARTING):
                while not workers_of(self._folder, busy=True):
                    await asyncio.sleep(0.02)
        await asyncio.sleep(self._chance.uniform(0, LONGEST))
        self._seen.update(workers_of(self._folder))

    async def _answered(self) -> None:
        """Wait until the computer player has answered, or the game is over."""
        assert self._game is not None
        async with asyncio.timeout(PATIENCE):
            self._game = await my_turn(self._member, self._game.match, self._game.plies)

    async def _is_stored(self) -> bool:
        """True if the member's move was stored before the bot was killed; if not, they make another."""
        assert self._game is not None
        async with open_store(None, self._folder) as store:
            found = await store.matches.load(self._game.match)
        assert found is not None
        return len(found.log) > self._game.plies

    async def _no_orphans(self, bot: BotProcess) -> None:
        """Processes of a bot that was killed have ended by themselves; those of a bot that stops are ended by it."""
        assert await bot.stop() == 0
        async with asyncio.timeout(PATIENCE):
            while any(map(_is_worker, self._seen)):
                await asyncio.sleep(0.1)
