"""The bot is killed between two of the steps that show a board: the next start leaves one board, and a line for each
that was replaced."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.sandbox import Fault, Sandbox
from bot.sandbox.messages import messages
from db.engine import open_store
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_process import PATIENCE, BotProcess, bot_at
from tests.e2e.matches.test_one_board import Evening
from tests.e2e.panels import newer_panel, panel_at, panels, shrunk
from tests.faults.of_discord import BOARD, OLD_BOARD

HISTORY = ("GET", BOARD[1])
LONG = 600.0
"""Seconds for which Discord makes the bot wait before a step: it is killed before."""


async def until(reached: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something is so that no event tells of."""
    async with asyncio.timeout(PATIENCE):
        while not await reached():
            await asyncio.sleep(0.02)


async def test_one_board_is_left(contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox(observe=contract) as local, players(local.url, local.world) as (ada, grace, _):

        async def stored() -> bool:
            async with open_store(None, tmp_path) as store:
                found = await store.load(game.panel.match)
            return found is not None and len(found.log) == len(game.texts)

        async def held() -> bool:
            return not local.faults

        async def posted() -> bool:
            return (await panel_at(ada, game.panel.match, len(game.texts))) is not None

        async def killed(*reached: Callable[[], Awaitable[bool]]) -> None:
            """Enter a move, and kill the bot once these steps are reached."""
            await game.enter(typed=True)
            for step in reached:
                await until(step)
            await bot.kill()
            local.faults.clear()

        bot: BotProcess
        async with bot_at(local.url, tmp_path) as bot:
            game = await Evening.begin(14, ada, grace)
            local.faults.plan(*BOARD, Fault.RATE_LIMITED, seconds=LONG)
            await killed(stored, held)
        async with bot_at(local.url, tmp_path) as bot:
            await game.look()
            await game.is_tidy()
            local.faults.plan(*OLD_BOARD, Fault.RATE_LIMITED, seconds=LONG)
            await killed(posted, held)
        local.deny("general", "read_message_history")
        async with bot_at(local.url, tmp_path) as bot:
            # The history cannot be read, and Discord still knows the nonce.
            await game.look()
            await game.is_tidy()
            local.faults.plan(*BOARD, Fault.LOST)
            await killed(posted)
        local.allow("general", "read_message_history")
        monkeypatch.setattr(messages, "NONCE_HOLDS", 0.0)
        async with bot_at(local.url, tmp_path) as bot:
            # Discord has forgotten the nonce.
            await game.look()
            await game.is_tidy()
            local.faults.plan(*BOARD, Fault.LOST)
            await killed(posted)
        local.faults.plan(*HISTORY, Fault.UNAVAILABLE)
        async with bot_at(local.url, tmp_path) as bot:
            # A member moves on the board that nobody knows of before it is looked for.
            await bot.says("board not shown yet")
            await game.look()
            await game.move()
            await game.is_tidy()
            local.faults.plan(*BOARD, Fault.LOST)
            await grace.command("board")
            newest = await newer_panel(ada, game.panel)
            await bot.kill()
        async with bot_at(local.url, tmp_path):
            assert "stands below" in await shrunk(ada, game.panel)
            assert [board.message["id"] for board in await panels(ada)] == [newest.message["id"]]
