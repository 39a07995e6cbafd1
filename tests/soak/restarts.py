"""Killing the bot at random moments of running games, and what must be true after each new start."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Collection
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.sandbox import Sandbox
from bot.sandbox.messages import messages
from db.api.computers import is_computer
from db.api.matches.matches import StoredMatch
from db.engine import open_store
from tests.contract.changes import PATIENCE
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.messages import components
from tests.e2e.panels import Panel, boards_in, panel_at, panels
from tests.e2e.play import OPEN, by_button, by_command, by_modal, legal
from tests.seeds import chance_for

LONGEST = 2.0
"""Seconds of play before a kill, at most: several moves, so that kills fall before, within and after one. On a machine
so busy that no move was made yet, each life may be longer than the one before."""
MOST_RUNNING = 3
ALONE, OFFERS = 0.3, 0.1
"""The parts of the games that are against a computer player, and of the moves before which a draw is offered."""
GAMES = [game.key for game in OPEN]


@dataclass
class MoveLog:
    """The moves that were tried and that were shown, by match: the store must agree with both."""

    tried: set[tuple[int, int, str]] = field(default_factory=set)
    """Match, plies on the board that was answered, move."""
    shown: dict[int, int] = field(default_factory=dict)
    """By match: the most plies that any board showed."""
    moves: int = 0
    """Stored in all."""

    def see(self, boards: list[Panel]) -> None:
        for board in boards:
            self.shown[board.match] = max(self.shown.get(board.match, 0), board.plies)


class Restarts:
    """Members who play on, whatever happens to the bot."""

    def __init__(
        self, local: Sandbox, members: tuple[Player, Player], data_dir: Path, url: str, seed: int
    ) -> None:
        self._local, self._members = local, members
        self._data_dir, self._database = data_dir, url
        self._random = chance_for(seed)
        self.move_log = MoveLog()
        self._settled: set[int] = set()
        self._lives = 0

    @classmethod
    @asynccontextmanager
    async def at(cls, contract: Contract, data_dir: Path, url: str, seed: int) -> AsyncIterator["Restarts"]:
        async with Sandbox(observe=contract) as local, players(local.url, local.world) as (ada, grace, _):
            yield cls(local, (ada, grace), data_dir, url, seed)

    async def life(self) -> None:
        """One life of the bot: come up, have every board shown, play on, die in the middle of it.

        Before every second life Discord forgets the nonces of the last one, as it does within minutes.
        """
        self._lives += 1
        holds = messages.NONCE_HOLDS if self._lives % 2 else 0.0
        async with AsyncExitStack() as stack:
            with patch.object(messages, "NONCE_HOLDS", holds):
                bot = await stack.enter_async_context(self._bot())
                await self._boards_are_shown()
            playing = asyncio.create_task(self._play_on())
            longest = LONGEST if self.move_log.moves else LONGEST + self._lives
            await asyncio.wait((playing,), timeout=self._random.uniform(0, longest))
            if playing.done():
                playing.result()
            await bot.kill()
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing
        await self.check()

    def _bot(self) -> AbstractAsyncContextManager[BotProcess]:
        return bot_at(self._local.url, self._data_dir, DATABASE_URL=self._database)

    async def check(self) -> None:
        """No shown move is lost, no move stands that nobody made, none stands twice."""
        self.move_log.see(await panels(self._members[0]))
        found = {stored.id: stored for stored in await self._load(*self.move_log.shown)}
        for match, plies in self.move_log.shown.items():
            stored = found[match]
            assert len(stored.log) >= plies, f"#{match} showed {plies} plies, {len(stored.log)} are stored"
            for ply, (seat, text) in enumerate(stored.log):
                by_itself = seat is None or is_computer(stored.users[seat])
                assert by_itself or (match, ply, text) in self.move_log.tried, (
                    f"#{match}: nobody played {text} at ply {ply}"
                )
        self.move_log.moves = sum(len(stored.log) for stored in found.values())

    async def last(self) -> None:
        """Let the bot come up once more and do what is left to do."""
        async with self._bot():
            self._settled.clear()
            await self._boards_are_shown()
        await self.check()

    async def _boards_are_shown(self) -> None:
        """After a start every match gets the board that it had not shown before the end, and has no other."""
        waiting = self.move_log.shown.keys() - self._settled
        wrong: dict[int, str] = {}
        try:
            async with asyncio.timeout(PATIENCE):
                while waiting and (wrong := await self._wrong(waiting)):
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"by match, what its boards are: {wrong}") from None

    async def _wrong(self, matches: Collection[int]) -> dict[int, str]:
        """Those of these matches whose only board does not show them as they stand, and the boards that they have.

        All other boards of a match have lost their picture and buttons. Matches that are over are settled if they are
        not among these.
        """
        found, wrong = self._boards(), {}
        for stored in await self._load(*matches):
            panel, boards = stored.panel, found.get(stored.id, [])
            if panel is None or panel.plies < len(stored.log) or boards != [str(panel.message)]:
                wrong[stored.id] = f"{len(stored.log)} plies, stored {panel}, in the channel {boards}"
            elif stored.finished_at is not None:
                self._settled.add(stored.id)
        return wrong

    def _boards(self) -> dict[int, list[str]]:
        """By match: the messages of the whole channel that are boards."""
        world, found = self._local.world, dict[int, list[str]]()
        there = world.messages[self._members[0].channel].values()
        for board in boards_in([world.view(it) for it in there if it.ephemeral_for is None]):
            found.setdefault(board.match, []).append(board.message["id"])
        return found

    async def _play_on(self) -> None:
        ada, grace = self._members
        while True:
            boards = await panels(ada)
            running = [
                board for board in boards if board.turn is not None and board is _newest(boards, board.match)
            ]
            offers = [offer for message in await ada.messages() if (offer := _accept_button(message))]
            if offers:
                await self._try(grace.press(*offers[-1]))
                await asyncio.sleep(0.1)
            if len(running) < MOST_RUNNING:
                await self._begin()
            elif running:
                await self._move(self._random.choice(running))

    async def _begin(self) -> None:
        """Begin any game, with or without a clock, against each other or against a computer player."""
        ada, grace = self._members
        terms = {"game": self._random.choice(GAMES), "size": "quick"}
        if self._random.random() < ALONE:
            await self._try(self._random.choice((ada, grace)).command("play", level=1, **terms))
            return
        clock = self._random.choice(("none", "3d", "15m+10s"))
        await self._try(ada.command("challenge", member=grace.id, clock=clock, **terms))

    async def _move(self, board: Panel) -> None:
        player = next(member for member in self._members if member.id == board.turn)
        moves = list(board.moves) or await legal(player, board)
        if not moves:
            return
        if self._random.random() < OFFERS:
            await self._try(player.command("draw", game=board.match))
        text = self._random.choice(moves)
        self.move_log.tried.add((board.match, board.plies, text))
        ways = [by_command, by_modal]
        if text in board.moves:
            ways = [by_button]
        await self._try(self._random.choice(ways)(player, board, text))
        with suppress(TimeoutError):
            async with asyncio.timeout(2):
                await panel_at(player, board.match, board.plies + 1)

    async def _try(self, doing: Awaitable[object]) -> None:
        # The bot may be dead: then the call says so, and the members try again in its next life.
        with suppress(AssertionError, TimeoutError):
            async with asyncio.timeout(5):
                await doing

    async def _load(self, *matches: int) -> list[StoredMatch]:
        async with open_store(self._database or None, self._data_dir) as store:
            found = [await store.load(match) for match in matches]
        return [stored for stored in found if stored is not None]


def _accept_button(message: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    """The message and the button's custom id, if it is an open challenge."""
    buttons = (part["custom_id"] for part in components(message) if part["type"] == 2)
    return next(((message, custom_id) for custom_id in buttons if custom_id.startswith("accept:")), None)


def _newest(boards: list[Panel], match: int) -> Panel:
    return [board for board in boards if board.match == match][-1]
