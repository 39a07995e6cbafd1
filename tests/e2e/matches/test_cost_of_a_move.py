"""The cost of an accepted move in statements, transactions and requests: counted, not timed."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.sandbox import Sandbox
from bot.sandbox.rest.wire import Exchange
from bot.ui.matches import boards
from bot.ui.posts import answers
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.costs import Costs, answered
from tests.e2e.panels import Panel, opened_part, panel_at
from tests.e2e.play import by_button, by_command, challenge

USUAL = 5, 2
"""Statements and transactions: the ply, the match and its post are stored, what may be with it is read, in one
transaction; what Discord shows is stored in another."""
NAMELESS = 7, 3
"""The same if the game is looked up first, with the clocks of its players."""
POSTED = 6, 3
"""The same if a board is posted again: it is stored before that a message is about to be posted."""
ABOUT_MESSAGES = ("/channels/", "/interactions/", "/webhooks/")
"""The beginnings of the routes of requests that moves make; meanwhile the bot uploads its emojis."""


class Requests:
    """Counts requests to Discord about messages."""

    def __init__(self, contract: Contract) -> None:
        self.count = 0
        self._contract = contract

    def observe(self, exchange: Exchange) -> None:
        self._contract(exchange)
        self.count += exchange.route.startswith(ABOUT_MESSAGES)


async def test_what_an_accepted_move_costs(
    contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs, seen = Costs(), Requests(contract)
    async with (
        Sandbox(observe=seen.observe) as local,
        bot_here(local.url, tmp_path),
        players(local.url, local.world) as (ada, grace, _),
    ):
        # However busy the machine is, a press may wait for the board that answers it.
        monkeypatch.setattr(answers, "FRESH", timedelta(hours=1))
        monkeypatch.setattr(answers, "LONGEST_WAIT", 3600.0)
        costs.watch(monkeypatch.setattr)

        async def cost(
            player: Player, panel: Panel, move: Awaitable[object], expected: tuple[int, int] = USUAL
        ) -> tuple[Panel, int]:
            """Make a move, and wait until it is answered; the next board, and the number of requests."""
            await answered()
            costs.counts.clear()
            before = seen.count
            await move
            await answered()
            after = await panel_at(player, panel.match, panel.plies + 1)
            assert (costs.counts["statements"], costs.counts["transactions"]) == expected
            return after, seen.count - before

        by_id = {player.id: player for player in (ada, grace)}
        panel = await challenge(ada, grace, "alaric")
        for number in range(4):
            assert panel.turn is not None
            player, text = by_id[panel.turn], next(iter(panel.moves))
            if number % 2:
                if number == 1:
                    panel, requests = await cost(player, panel, by_command(player, panel, text))
                else:  # which game is meant is looked up first
                    panel, requests = await cost(player, panel, player.command("move", move=text), NAMELESS)
                assert (
                    requests == 5
                )  # acknowledged, the board, a mention, the mention before, the empty answer
            else:
                panel, requests = await cost(player, panel, by_button(player, panel, text))
                # The board as the answer, a mention, and, after the first move, the mention before. The press itself
                # says that nothing else stands below the board.
                assert requests == (3 if number else 2)
        with monkeypatch.context() as old:
            old.setattr(boards, "YOUNG", timedelta())
            player, text = by_id[panel.turn or ""], next(iter(panel.moves))
            panel, requests = await cost(player, panel, by_button(player, panel, text), POSTED)
            assert requests == 4  # the new board, acknowledged, the old board and the mention deleted

        first, panel = panel, await challenge(ada, grace, "spaghetti")
        assert panel.turn is not None
        player, message, moves, parts = by_id[panel.turn], panel.message, panel.moves, panel.parts
        while not moves:
            path, before = next(iter(parts)), seen.count
            await player.press(message, parts[path])
            assert seen.count - before == 1  # the private message is the answer
            message, moves, parts = await opened_part(player, panel.match, panel.plies, path)
        shown, acknowledge = asyncio.Event(), discord.InteractionResponse.defer

        async def acknowledged_late(*args: Any, **kwargs: Any) -> None:
            await shown.wait()
            await acknowledge(*args, **kwargs)

        async def press_privately(press: Awaitable[object]) -> None:
            pressing = asyncio.ensure_future(press)
            await panel_at(player, panel.match, panel.plies + 1)
            shown.set()
            await pressing

        monkeypatch.setattr(discord.InteractionResponse, "defer", acknowledged_late)
        press = player.press(message, next(iter(moves.values())))
        # The board does not wait for the acknowledgement. The line that links to a game which waits is made of what is
        # remembered.
        _, requests = await cost(player, panel, press_privately(press))
        # acknowledged, the board, a mention, the menu deleted; the next game, if it waits
        assert requests == 4 + (first.turn == player.id)
