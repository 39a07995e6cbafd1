"""A channel reads as a list of moves with one board at its end, also after kills and in direct messages."""

import asyncio
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.sandbox import Fault, Sandbox
from rules.core.match import Match
from rules.games import find
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.e2e.bot_process import bot_at
from tests.e2e.club import Club
from tests.e2e.matches.test_more_menu import more
from tests.e2e.messages import (
    Json,
    buttons,
    choose,
    found_in,
    message_with,
    once,
    open_settings,
    pinged,
    text_of,
)
from tests.e2e.panels import Panel, boards_in, line_of, newer_panel, panel_at, panels, shrunk
from tests.e2e.play import by_button, by_command, by_modal, challenge
from tests.faults.of_discord import BOARD, OLD_BOARD

PIN = "/channels/{channel_id}/messages/pins/{message_id}"
MESSAGE = "/channels/{channel_id}/messages/{message_id}"
PIN_LINE = 6
"""The type of the message by which Discord announces a pin."""


@dataclass
class Evening:
    """A game between two members in one channel, whose moves are always the same."""

    players: list[Player]
    panel: Panel
    match: Match
    pinned: bool = False
    texts: list[str] = field(default_factory=list)

    @classmethod
    async def begin(cls, size: int, *members: Player, pinned: bool = False) -> "Evening":
        """On a ring of so many cells. `pinned` is True where the server wants the newest board pinned."""
        panel = await challenge(members[0], members[1], "alaric", str(size))
        return cls(list(members), panel, Match.start(find("alaric"), {"size": size}, 2), pinned)

    @property
    def mover(self) -> Player:
        return next(player for player in self.players if player.id == self.panel.turn)

    async def enter(self, *, typed: bool = False) -> None:
        """Enter the next move by what stands under the board; a press is answered by shrinking it, a typed move not."""
        moves = self.match.legal()
        assert moves is not None
        (seat,) = self.match.to_move
        text = moves[len(self.texts) % len(moves)]
        if text in self.panel.moves and not typed:
            await by_button(self.mover, self.panel, text)
        else:
            await by_modal(self.mover, self.panel, text)
        self.match = self.match.play(seat, text)
        self.texts.append(text)

    async def move(self, *, typed: bool = False) -> None:
        """Make the next move and wait for its board."""
        await self.enter(typed=typed)
        await self.look()

    async def finish(self) -> None:
        """Play to the end, and wait until the channel is tidy."""
        while self.panel.turn is not None:
            await self.move()
        await self.is_tidy()

    async def look(self) -> None:
        self.panel = await panel_at(self.players[0], self.panel.match, len(self.texts))

    async def is_tidy(self) -> None:
        """Wait until the channel holds one board and a line for each move, and calls nobody but the player on turn.

        If the server wants that, the board is pinned while the game goes on, and no other message is.
        """
        watcher, wanted = self.players[0], len(self.texts)
        pins = [self.panel.message["id"]] if self.pinned and self.panel.turn is not None else []

        async def settled() -> list[Json] | None:
            path = f"channels/{watcher.channel}/messages?limit=100"
            seen: list[Json] = await watcher.get(path)
            shrunk = len(list(filter(None, map(line_of, seen)))) == wanted
            return seen if shrunk and pins == pinned_in(seen) else None

        seen = await watcher.until(settled)
        lines = [line for line in map(line_of, seen) if line is not None]
        for number, (line, text) in enumerate(zip(lines, self.texts, strict=True), 1):
            assert re.match(rf"-# {number}[.] <@[0-9]+> \S+ {text} · \[Alaric #{self.panel.match}\]\(", line)
        (left,) = boards_in(seen)
        assert left.message["id"] == self.panel.message["id"]
        for message in seen:
            if message["id"] != left.message["id"] and "challenges" not in text_of(message):
                assert not pinged(message)
                assert "your turn" not in text_of(message)


def pinned_in(seen: list[Json]) -> list[str]:
    """The pinned messages, and the lines that announce pins."""
    return [message["id"] for message in seen if message["pinned"] or message["type"] == PIN_LINE]


@pytest.mark.parametrize(
    ("size", "moves"), [(14, (5, 5, 17)), pytest.param(26, (20, 17, 60), marks=pytest.mark.soak)]
)
async def test_a_whole_game_leaves_one_board(
    contract: Contract, tmp_path: Path, size: int, moves: tuple[int, int, int]
) -> None:
    """One game in a channel and one in direct messages, side by side; twice the bot is killed when it has left old
    boards in the channel as they were, pinned, or could not note that the new board had been posted."""
    first, second, least = moves
    async with Sandbox(observe=contract) as local, players(local.url, local.world) as (ada, grace, _):
        for member in (ada, grace):
            local.install(member.id)
        direct = (await ada.post("direct", **{"with": [grace.id]}))["id"]
        async with bot_at(local.url, tmp_path):
            await choose(ada, await open_settings(ada), "setting:pins", "on")
            here = await Evening.begin(size, ada, grace, pinned=True)
            there = await Evening.begin(size, ada.elsewhere(direct), grace.elsewhere(direct))
            for _ in range(first):
                await asyncio.gather(here.move(), there.move())
            await here.is_tidy()
            local.faults.plan(*OLD_BOARD, Fault.RESET, times=1000)
            for what in (("DELETE", PIN), ("DELETE", MESSAGE)):
                local.faults.plan(*what, Fault.RESET, times=1000)
            for _ in range(3):
                await here.move(typed=True)
            assert [board.plies for board in await panels(ada)] == [first, first + 1, first + 2, first + 3]
        local.faults.clear()
        async with bot_at(local.url, tmp_path) as bot:
            await here.is_tidy()
            for _ in range(second):
                await asyncio.gather(here.move(), there.move())
            await there.is_tidy()
            local.faults.plan(*BOARD, Fault.LOST)
            await here.enter()
            # The press posts the board, or the sweep if it comes between the move and its board.
            await bot.says("discord refused a call", "board not shown yet")
        async with bot_at(local.url, tmp_path):
            await here.look()
            await here.is_tidy()
            await asyncio.gather(here.finish(), there.finish())
            assert min(len(here.texts), len(there.texts)) > least


async def test_a_board_that_nobody_knows_of_shrinks_when_it_is_used(club: Club) -> None:
    """It was posted before a kill, and the bot did not hear of it."""
    first = await challenge(club.ada, club.grace, "alaric")
    mover, waiter = club.by_turn(first)
    club.local.faults.plan(*OLD_BOARD, Fault.RESET, times=1000)
    await by_command(mover, first, "3")
    second = await panel_at(waiter, first.match, 1)
    await club.bot.says("message not edited")
    club.local.faults.clear()
    await waiter.press(first.message, first.buttons["More"])
    assert (await shrunk(waiter, first)).startswith("-# 1. ")
    assert [board.plies for board in await panels(waiter)] == [second.plies]


@pytest.mark.parametrize("by", ["server", "players"])
async def test_one_message_shows_a_game_where_that_is_wanted(club: Club, by: str) -> None:
    """A line calls the player on turn, and goes when they have moved; `/board` still moves the board down."""
    if by == "server":
        await choose(club.ada, await open_settings(club.ada), "setting:moves", "same")
        await choose(club.ada, await open_settings(club.ada), "setting:pins", "on")
    board = await challenge(club.ada, club.grace, "alaric", "4")
    if by == "players":
        menu = await more(club.grace, board)
        await club.grace.press(menu, buttons(menu)["Always the same board"])
        told = await message_with(club.grace, "You have chosen that for all players.")
        assert told["ephemeral_for"] == club.grace.id
        assert "A new board for each move" in buttons(await more(club.ada, board))
    assert pinged(board.message) == [board.turn]
    pins = [board.message["id"]] if by == "server" else []
    calls: list[str] = []
    while board.turn is not None:
        mover, waiter = club.by_turn(board)
        await by_button(mover, board, next(iter(board.moves)))
        board = await panel_at(club.emmy, board.match, board.plies + 1)
        if board.turn is None:
            break
        call = await found_in(
            club.emmy,
            lambda seen: next(
                (it for it in seen if "your turn in [" in it["content"] and it["id"] not in calls), None
            ),
        )
        assert pinged(call) == [waiter.id]
        assert call["content"].startswith(f"<@{waiter.id}>, your turn in [Alaric #{board.match}](https://")
        assert f"/{board.message['id']})" in call["content"]
        calls.append(call["id"])
        await found_in(club.emmy, lambda seen: sum(it["id"] in calls for it in seen) == 1 or None)
        if board.plies == 2:
            await found_in(club.emmy, lambda seen: pinned_in(seen) == pins)
            await club.grace.command("board")
            before, board = board, await newer_panel(club.emmy, board)
            assert "stands below" in await shrunk(club.emmy, before)
            assert len(await panels(club.emmy)) == 1
    await found_in(club.emmy, lambda seen: not any(it["id"] in calls for it in seen) or None)
    await found_in(club.emmy, lambda seen: pinned_in(seen) == [])
    assert len(calls) > 2
    (last,) = await panels(club.emmy)
    assert last.message["attachments"] == []
    end = (await once(club.emmy, last.message, lambda _: True))["id"]
    over = await found_in(
        club.emmy, lambda seen: next((it for it in seen if "is over" in it["content"]), None)
    )
    assert f"/{end})" in over["content"]


async def test_a_board_that_may_not_be_pinned_is_posted_all_the_same(club: Club) -> None:
    club.local.deny("general", "pin_messages")
    await choose(club.ada, await open_settings(club.ada), "setting:pins", "on")
    await message_with(club.ada, f"In <#{club.ada.channel}> I lack Pin Messages.")
    board = await challenge(club.ada, club.grace, "alaric")
    mover, waiter = club.by_turn(board)
    await by_button(mover, board, next(iter(board.moves)))
    club.local.allow("general", "pin_messages")
    board = await panel_at(waiter, board.match, 1)
    mover, waiter = club.by_turn(board)
    await by_button(mover, board, next(iter(board.moves)))
    board = await panel_at(waiter, board.match, 2)
    await found_in(club.emmy, lambda seen: pinned_in(seen) == [board.message["id"]])
