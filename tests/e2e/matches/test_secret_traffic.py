"""Two games that differ only in what is hidden: all that is sent to anyone but its owner is the same, byte for byte."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox import Sandbox
from tests.contract.player import Player, players
from tests.e2e import secret_rows
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.messages import found_in, message_with, text_of
from tests.e2e.page_events import PageEvents, listening
from tests.e2e.panels import Panel, panel_at, panels
from tests.e2e.play import challenge

CARDS = 8


@dataclass(frozen=True)
class World:
    """A game between Ada, who is in the first seat, and Grace; what Grace and Emmy, who does not play, are sent."""

    bot: BotProcess
    ada: Player
    grace: Player
    emmy: Player
    panel: Panel
    others: list[PageEvents]

    async def so_far(self) -> list[list[str]]:
        for events in self.others:
            await look_everywhere(events.player)
        return [await events.so_far() for events in self.others]


@asynccontextmanager
async def world(folder: Path, reds: int) -> AsyncIterator[World]:
    async with (
        Sandbox(members=("Ada", "Grace", "Emmy")) as local,
        bot_at(
            local.url, folder, module="tests.e2e.fixed_chance", RIGGED=str(reds), PENCILBOX_LOG_LEVEL="debug"
        ) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
        listening(local.url, grace, emmy) as others,
    ):
        # Titles are without emojis until these are uploaded, at a time that differs from game to game.
        await bot.says("emojis.loaded")
        panel = await challenge(ada, grace, "palindromes", str(CARDS))
        yield World(bot, ada, grace, emmy, panel, others)
        assert "Traceback" not in bot.log, bot.log


async def look_everywhere(player: Player) -> None:
    """Use the commands that show the position of a game."""
    newest = (await panels(player))[-1]
    asked: tuple[Callable[[], Awaitable[dict[str, Any]]], ...] = (
        lambda: player.command("board", as_text=True),
        lambda: player.command("board", number=newest.match),
        lambda: player.command("replay", number=newest.match),
        lambda: player.autocomplete("move", "move", move="r", number=newest.match),
    )
    for ask in asked:
        answer = await ask()
        assert answer["outcome"] in ("message", "choices"), answer
        await found_in(player, lambda seen: all(it["state"] != "thinking" for it in seen) or None)


def difference(one: list[list[str]], other: list[list[str]]) -> str | None:
    """The first difference between two lists of what was sent, with some text around it; None if there is none."""
    for mine, theirs in zip(one, other, strict=True):
        for number, (first, second) in enumerate(zip_longest(mine, theirs, fillvalue="nothing")):
            if first != second:
                at = next(
                    (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
                    min(len(first), len(second)),
                )
                around = slice(max(0, at - 300), at + 100)
                return f"frame {number} at {at}:\n{first[around]}\n{second[around]}"
    return None


async def laid_by_choosing(table: World) -> str:
    """Card by card, with second thoughts."""
    message = await secret_rows.look(table.ada, table.panel)
    reds, blacks = secret_rows.held(message)
    row = "R" * reds + "B" * blacks
    message = await secret_rows.choose(table.ada, message, row)
    message = await secret_rows.press(table.ada, message, "Take back", " would follow")
    message = await secret_rows.press(table.ada, message, "Take back", "begin a row of your own")
    message = await secret_rows.other_order(table.ada, message)
    message = await secret_rows.type_row(table.ada, message, row)
    message = await secret_rows.press(table.ada, message, "Take back", " would follow")
    await secret_rows.seal(table.ada, message)
    return row


async def laid_by_typing(table: World) -> str:
    """The whole row by the form."""
    message = await secret_rows.look(table.ada, table.panel)
    reds, blacks = secret_rows.held(message)
    row = "B" * blacks + "R" * reds
    await secret_rows.seal(table.ada, await secret_rows.type_row(table.ada, message, row))
    return row


async def laid_by_command(table: World) -> str:
    message = await secret_rows.look(table.ada, table.panel)
    reds, blacks = secret_rows.held(message)
    row = ("RB" * CARDS)[: 2 * min(reds, blacks)] + "R" * (reds - blacks) + "B" * (blacks - reds)
    await table.ada.command("move", move=row, number=table.panel.match)
    await panel_at(table.ada, table.panel.match, table.panel.plies + 1)
    return row


async def finds_nothing(table: World) -> None:
    await secret_rows.done(table.ada, await secret_rows.look(table.ada, table.panel))


async def finds_much(table: World) -> None:
    """By form and by command, with refusals between, looking several times."""
    await secret_rows.look(table.ada, table.panel)
    message = await secret_rows.look(table.ada, table.panel)
    message = await secret_rows.name(table.ada, message, "R RR RBR B x")
    assert "**2 new:**" in text_of(message)
    assert "Wrong so far: ♦♣♦" in text_of(message)
    # Grace holds four red cards and has laid them first.
    message = await secret_rows.point(table.ada, message, 1, 3)
    assert "**1 new:** ♦♦♦" in text_of(message)
    await table.ada.command("move", move="find RRRR", number=table.panel.match)
    await message_with(table.ada, "You played `find RRRR`: ♦♦♦♦ was found. Only you see this.")
    await table.ada.command("move", move="RRRR", number=table.panel.match)
    await secret_rows.done(table.ada, message)


def assert_not_logged(table: World, row: str) -> None:
    for secret in (row, "arrange", "order:", "seal:", "point:", "find", " ".join(row).lower()):
        assert secret not in table.bot.log


@pytest.mark.soak
async def test_rows_reach_only_their_owner(tmp_path: Path) -> None:
    """Games in which Ada lays other rows, in other ways. In the last one, she was dealt another hand.

    In `make test`, `tests/leaks` searches all that leaves a bot for hidden rows.
    """
    sent = []
    for number, (reds, lay) in enumerate(((4, laid_by_choosing), (4, laid_by_typing), (3, laid_by_command))):
        async with world(tmp_path / str(number), reds) as table:
            row = await lay(table)
            sent.append(await table.so_far())
            assert_not_logged(table, row)
    chosen, typed, other_hand = sent
    assert difference(chosen, typed) is None
    # Grace holds what Ada does not, so what she sees of her own hand differs with the deal. A spectator sees no hand.
    assert difference(chosen[1:], other_hand[1:]) is None
    assert min(map(len, chosen)) > 10


@pytest.mark.soak
async def test_finds_reach_only_their_owner(tmp_path: Path) -> None:
    """Two games with the same rows, since everybody sees them in the search.

    In `make test`, `test_finds_are_seen_by_their_finder_alone` compares what others see before and after a find.
    """
    sent = []
    for search in (finds_nothing, finds_much):
        async with world(tmp_path / search.__name__, 4) as table:
            row = await secret_rows.lay(table.ada, table.panel, reds_first=True)
            sealed = await panel_at(table.grace, table.panel.match, table.panel.plies + 1)
            await secret_rows.lay(table.grace, sealed, reds_first=True)
            opened = await panel_at(table.ada, table.panel.match, table.panel.plies + 2)
            for events in table.others:
                await events.forget()
            await search(replace(table, panel=opened))
            sent.append(await table.so_far())
            assert_not_logged(table, row)
    assert difference(*sent) is None
