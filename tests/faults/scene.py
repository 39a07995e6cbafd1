"""Games that are played while something fails, and what became of each move."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.sandbox import Sandbox
from bot.sandbox.exchange import Exchange
from db.engine import open_store
from tests.contract.player import Player, players
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.messages import Json, found_in, text_of
from tests.e2e.panels import Panel, boards_in, line_of
from tests.e2e.play import by_command, challenge

SIZE = 12
"""Cells of the ring of Alaric: each move is a button of its own."""


@dataclass
class Counts:
    """How often a fault was injected, the moves under it, and those lost, stored twice, or shown by no board."""

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
    boards: list[Panel] = field(default_factory=list)
    """The newest board of the game."""
    played: list[str] = field(default_factory=list)
    """The moves of the game, in order."""
    known: set[str] = field(default_factory=set)
    """The messages that were there before the last move was tried."""

    @classmethod
    @asynccontextmanager
    async def at(
        cls, observe: Callable[[Exchange], None] | None, folder: Path, database: str = ""
    ) -> AsyncIterator["Scene"]:
        """The scene with a bot on the database at this address, or on SQLite."""
        async with (
            Sandbox(observe=observe) as local,
            players(local.url, local.world) as (ada, grace, *_),
            bot_at(local.url, folder, DATABASE_URL=database) as bot,
        ):
            yield cls(local, bot, folder, database, ada, grace)

    async def begin(self) -> None:
        """Begin another game, with nothing in the log of what was before."""
        self.bot.forget_log()
        self.boards, self.played = [await challenge(self.ada, self.grace, "alaric", str(SIZE))], []

    @property
    def board(self) -> Panel:
        """The newest board that was seen."""
        return self.boards[-1]

    @property
    def mover(self) -> Player:
        """The member on turn."""
        return self.ada if self.board.turn == self.ada.id else self.grace

    @property
    def next_move(self) -> str:
        """A move that captures nothing."""
        return str(2 * len(self.played) + 1)

    async def note(self) -> None:
        """Remember which messages are there, so that `told` finds newer ones only."""
        self.known = {message["id"] for message in await self.mover.messages()}

    async def press(self) -> None:
        """Try the next move by its button, whatever Discord tells of the press."""
        await self.note()
        await self.mover.press(self.board.message, self.board.moves[self.next_move])

    async def write(self) -> None:
        """Try the next move by a command."""
        await self.note()
        await by_command(self.mover, self.board, self.next_move)

    async def shown(self) -> None:
        """Wait until a board shows the move that was tried."""
        plies, match = self.board.plies + 1, self.board.match

        def find(seen: list[Json]) -> Panel | None:
            found = (it for it in reversed(boards_in(seen)) if it.match == match and it.plies >= plies)
            return next(found, None)

        self.played.append(self.next_move)
        self.boards.append(await found_in(self.ada, find))

    async def told(self, words: str, player: Player | None = None) -> None:
        """Wait until this player, or the member on turn, is told this alone."""
        told = player or self.mover

        def find(seen: list[Json]) -> Any:
            new = (it for it in seen if it["id"] not in self.known and it["ephemeral_for"] == told.id)
            return next((it for it in new if words in text_of(it)), None)

        await found_in(told, find)

    async def count(self, counts: Counts) -> None:
        """Compare what was played with what is stored and shown, and end the game."""
        match = self.board.match
        async with open_store(self.database or None, self.folder) as store:
            stored = await store.load(match)
        assert stored is not None
        texts = [ply.text for ply in stored.log]
        counts.injected += 1
        counts.moves += len(self.played)
        counts.lost += sum(move not in texts for move in self.played)
        counts.doubled += len(texts) - len(set(texts))

        def settled(seen: list[Json]) -> bool | None:
            live = [board.plies for board in boards_in(seen) if board.match == match]
            lines = [line for it in seen if (line := line_of(it)) is not None and f"#{match}]" in line]
            return (live == [len(texts)] and len(lines) == len(texts)) or None

        try:
            await found_in(self.ada, settled)
        except TimeoutError:
            counts.unseen += 1
        await self.ada.command("end", game=match, reason="enough")
