"""Games that are played while something fails, and what became of each move."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.sandbox import Sandbox
from bot.sandbox.rest.wire import Exchange
from bot.ui.matches.boards import NEAR
from db.engine import open_store
from tests.contract.player import Player, players
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.messages import Json, found_in, newest, once, text_of
from tests.e2e.panels import Panel, boards_in, calls_in, panel_at
from tests.e2e.play import challenge, end
from tests.faults.operators import Operators
from tests.waiting import wait_while

WATCHED = {"PENCILBOX_LOG_FORMAT": "json", "PENCILBOX_METRICS_PORT": "0"}
"""The settings by which it is seen what operators see."""
READ_ONLY = "read-only"
"""The name of the file that makes the bot's SQLite file read-only while it exists."""
SIZE = 12
"""Cells of the ring of Alaric: each move is a button of its own."""


@dataclass
class Counts:
    """The numbers of injections of a fault, and of moves in all, lost, stored twice, and shown by no board."""

    injected: int = 0
    moves: int = 0
    lost: int = 0
    doubled: int = 0
    unseen: int = 0

    @property
    def harm(self) -> int:
        """The moves with which anything went wrong."""
        return self.lost + self.doubled + self.unseen


@dataclass
class Scene:
    """A local Discord, a bot, and two members who play one game for each fault."""

    local: Sandbox
    bot: BotProcess
    folder: Path
    database: str
    ada: Player
    grace: Player
    operators: Operators
    boards: list[Panel] = field(default_factory=list)
    """The newest board of the game."""
    played: list[str] = field(default_factory=list)
    """The moves of the game, in order."""
    known: set[str] = field(default_factory=set)
    """The messages that were there before the last move was tried."""
    nowhere: bool = False
    """True if the game can be shown nowhere any more, so that no board is looked for in the end."""

    @classmethod
    @asynccontextmanager
    async def at(
        cls, observe: Callable[[Exchange], None] | None, folder: Path, database: str = ""
    ) -> AsyncIterator["Scene"]:
        """The scene with a bot on the database at this address, or on SQLite."""
        async with (
            Sandbox(observe=observe, channels=("general", "lounge")) as local,
            players(local.url, local.world) as (ada, grace, *_),
            bot_at(local.url, folder, **_settings(folder, database)) as bot,
        ):
            scene = cls(local, bot, folder, database, ada, grace, Operators(bot))
            try:
                yield scene
            finally:
                await scene.bot.kill()

    async def restart(self) -> None:
        """Start another bot on the same database, after the first has ended."""
        self.bot = BotProcess.fork(
            self.folder, PENCILBOX_LOCAL_URL=self.local.url, **_settings(self.folder, self.database)
        )
        await self.bot.online(self.local.url)
        await self.bot.says("metrics.started")
        self.operators = Operators(self.bot)
        await self.operators.begin()

    async def begin(self) -> None:
        """Begin another game, with nothing in the log of what was before."""
        await self.operators.begin()
        self.nowhere = False
        await self.begin_with(self.ada, self.grace)

    async def begin_with(self, ada: Player, grace: Player) -> None:
        """Begin a game of these two, who may be in another channel than usual."""
        async with self.operators.ending(2):
            self.boards, self.played = [await challenge(ada, grace, "alaric", str(SIZE))], []

    @property
    def board(self) -> Panel:
        """The newest board that was seen."""
        return self.boards[-1]

    @property
    def mover(self) -> Player:
        """The member on turn."""
        return self.ada if self.board.turn == self.ada.id else self.grace

    @property
    def read_only(self) -> Path:
        """The file that makes the bot's SQLite file read-only while it exists."""
        return self.folder / READ_ONLY

    @property
    def next_move(self) -> str:
        """A move that captures nothing."""
        return str(2 * len(self.played) + 1)

    async def end(self) -> None:
        """End the game, as a moderator does."""
        async with self.operators.ending(1):
            await end(self.ada, self.board.match, "enough")

    async def note(self) -> None:
        """Remember which messages are there, so that `told` finds newer ones only."""
        self.known = {message["id"] for message in await self.mover.messages()}

    async def press(self) -> str:
        """Try the next move by its button; the outcome that Discord tells: "update" or "failed"."""
        await self.note()
        answer = await self.mover.press(self.board.message, self.board.moves[self.next_move])
        return str(answer["outcome"])

    async def pressed(self, outcome: str = "update") -> None:
        """Try the next move by its button, and hold the outcome against the expected one."""
        assert await self.press() == outcome

    async def moved(self) -> None:
        """Make the next move by its button, with nothing in its way."""
        await self.pressed()
        await self.shown()

    async def write(self, outcome: str = "message") -> None:
        """Try the next move by a command, and hold the outcome that Discord tells against the expected one."""
        await self.note()
        answer = await self.mover.command("move", move=self.next_move, number=self.board.match)
        assert answer["outcome"] == outcome

    async def shown(self, moves: int = 1) -> None:
        """Wait until a board shows the move that was tried, or so many."""
        plies, match = self.board.plies + moves, self.board.match
        self.played.append(self.next_move)
        self.boards.append(await panel_at(self.mover, match, plies))

    async def bury(self) -> None:
        """Write so much below the board that the next move posts it again."""
        for _ in range(NEAR + 1):
            await self.grace.say("Nice weather today.")

    async def says_only(self, message: Json, words: str) -> None:
        """Wait until a message of the game is no board any more, and says this."""
        await once(self.mover, message, lambda now: words in text_of(now) and not boards_in([now]))

    async def struck(self) -> None:
        """Wait until every planned fault has been met."""
        await wait_while(lambda: len(self.local.faults))

    async def says(self, what: str) -> None:
        """Wait until the bot logs this, unless it did so within a minute and may leave it out."""
        if not self.operators.lately(what):
            await self.bot.says(what)

    async def stays_unseen(self, seconds: float) -> None:
        """For so long no board shows the move that was tried."""
        await asyncio.sleep(seconds)
        shown = [it.plies for it in boards_in(await self.ada.messages()) if it.match == self.board.match]
        assert max(shown) == self.board.plies

    async def told(self, words: str, player: Player | None = None) -> None:
        """Wait until this player, or the member on turn, is told this alone."""
        told = player or self.mover
        await newest(
            told,
            lambda it: it["id"] not in self.known and it["ephemeral_for"] == told.id and words in text_of(it),
        )

    async def told_nothing(self) -> None:
        """The member who moved last is told nothing alone."""
        mover = self.grace if self.mover is self.ada else self.ada

        def answered(seen: list[Json]) -> list[str] | None:
            new = [it for it in seen if it["id"] not in self.known and it["ephemeral_for"] == mover.id]
            return None if any(it["state"] == "thinking" for it in new) else [text_of(it) for it in new]

        assert await found_in(mover, answered) == []

    async def count(self, counts: Counts) -> None:
        """Compare what was played with what is stored and shown, and end the game."""
        match = self.board.match
        async with open_store(self.database or None, self.folder) as store:
            stored = await store.matches.load(match)
        assert stored is not None
        texts = [ply.text for ply in stored.log]
        counts.injected += 1
        counts.moves += len(self.played)
        counts.lost += sum(move not in texts for move in self.played)
        counts.doubled += len(texts) - len(set(texts))

        if self.nowhere:
            await self.end()
            return

        def settled(seen: list[Json]) -> bool | None:
            boards = [board for board in boards_in(seen) if board.match == match]
            called = [it for it in calls_in(seen) if f"#{match}](" in text_of(it)]
            others = [it for it in called if not boards or f"<@{boards[-1].turn}>" not in text_of(it)]
            shown = [board.plies for board in boards] == [len(texts)]
            return (shown and not others and len(called) <= 1) or None

        try:
            await found_in(self.ada, settled)
        except TimeoutError:
            counts.unseen += 1
        await self.end()


def _settings(folder: Path, database: str) -> dict[str, str]:
    """The settings of the bot and the module that is run."""
    if database:
        return {"DATABASE_URL": database, **WATCHED}
    read_only = {"module": "tests.faults.read_only_bot", "READ_ONLY_IF": str(folder / READ_ONLY)}
    return {**read_only, **WATCHED}
