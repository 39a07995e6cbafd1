"""Two games that differ only in what is hidden: all that is sent to anyone but its owner is the same, byte for byte."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bot.sandbox import Sandbox
from tests.contract.player import Player, players
from tests.e2e import secret_rows as hands
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.messages import found_in, text_of
from tests.e2e.page_events import Ear, ears
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
    others: list[Ear]

    async def heard(self) -> list[list[str]]:
        for ear in self.others:
            await snoop(ear.player)
        return [await ear.heard() for ear in self.others]


Deed = Callable[[World], Awaitable[str]]
"""Something that Ada does in secret; it answers words that nobody else may read anywhere."""


@asynccontextmanager
async def world(folder: Path, reds: int) -> AsyncIterator[World]:
    async with (
        Sandbox(members=("Ada", "Grace", "Emmy")) as local,
        bot_at(
            local.url, folder, module="tests.e2e.fixed_chance", RIGGED=str(reds), PENCILBOX_LOG_LEVEL="debug"
        ) as bot,
        players(local.url, local.world) as (ada, grace, emmy),
        ears(local.url, grace, emmy) as others,
    ):
        panel = await challenge(ada, grace, "palindromes", str(CARDS))
        yield World(bot, ada, grace, emmy, panel, others)
        assert "Traceback" not in bot.log, bot.log


async def snoop(player: Player) -> None:
    """Ask the bot for everything that there is to see."""
    newest = (await panels(player))[-1]
    asked: tuple[Callable[[], Awaitable[dict[str, Any]]], ...] = (
        lambda: player.command("board", as_text=True),
        lambda: player.command("board", game=newest.match),
        lambda: player.command("games"),
        lambda: player.command("replay", game=newest.match),
        lambda: player.command("replay", game=newest.match, move=1),
        lambda: player.command("leaderboard"),
        lambda: player.autocomplete("move", "move", move="", game=newest.match),
        lambda: player.autocomplete("move", "move", move="r", game=newest.match),
        lambda: player.autocomplete("board", "game", game=""),
    )
    for ask in asked:
        answer = await ask()
        assert answer["outcome"] in ("message", "choices"), answer
        await found_in(player, lambda seen: all(it["state"] != "thinking" for it in seen) or None)


def difference(one: list[list[str]], other: list[list[str]]) -> str | None:
    """Where two hearings part, in a few words around it."""
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
    message = await hands.look(table.ada, table.panel)
    reds, blacks = hands.held(message)
    row = "R" * reds + "B" * blacks
    message = await hands.choose(table.ada, message, row)
    message = await hands.press(table.ada, message, "Clear", "Lay one card after the other")
    await hands.seal(table.ada, await hands.choose(table.ada, message, row))
    return row


async def laid_by_typing(table: World) -> str:
    """After a wrong one, at once."""
    message = await hands.look(table.ada, table.panel)
    reds, blacks = hands.held(message)
    row = "B" * blacks + "R" * reds
    await hands.seal(table.ada, await hands.type_row(table.ada, message, row))
    return row


async def laid_by_command(table: World) -> str:
    message = await hands.look(table.ada, table.panel)
    reds, blacks = hands.held(message)
    row = ("RB" * CARDS)[: 2 * min(reds, blacks)] + "R" * (reds - blacks) + "B" * (blacks - reds)
    await table.ada.command("move", move=row, game=table.panel.match)
    await panel_at(table.ada, table.panel.match, table.panel.plies + 1)
    return row


async def test_a_hand_and_a_row_reach_nobody_else(tmp_path: Path) -> None:
    told = []
    ways: list[tuple[int, Deed]] = [(4, laid_by_choosing), (4, laid_by_typing), (3, laid_by_command)]
    for number, (reds, lay) in enumerate(ways):
        async with world(tmp_path / str(number), reds) as table:
            row = await lay(table)
            told.append(await table.heard())
            log = table.bot.log
            assert not any(
                secret in log for secret in (row, "arrange", "lay:", "seal:", " ".join(row).lower())
            )
    chosen, typed, other_hand = told
    assert difference(chosen, typed) is None
    # Grace holds what Ada does not, so what she sees of her own hand differs with the deal.
    assert difference(chosen[1:], other_hand[1:]) is None
    assert min(map(len, chosen)) > 20


async def finds_nothing(table: World) -> str:
    message = await hands.press(table.ada, await hands.look(table.ada, table.panel), "Done", "Really done?")
    await hands.press(table.ada, message, "Yes, done", "you are done")
    return "find"


async def finds_much(table: World) -> str:
    """By form and by command, with refusals between, looking several times."""
    await hands.look(table.ada, table.panel)
    message = await hands.name(table.ada, await hands.look(table.ada, table.panel), "R RR RBR B x RRR")
    assert "**3 new:**" in text_of(message)
    await table.ada.command("move", move="find RRRR", game=table.panel.match)
    await table.ada.command("move", move="RRRR", game=table.panel.match)
    await hands.press(table.ada, message, "Done", "you are done")
    return "find"


async def test_finds_reach_nobody_else(tmp_path: Path) -> None:
    told = []
    for number, hunt in enumerate((finds_nothing, finds_much)):
        async with world(tmp_path / str(number), 4) as table:
            for plies, player in enumerate((table.ada, table.grace), 1):
                await hands.lay(player, await panel_at(player, table.panel.match, plies), reds_first=True)
            opened = await panel_at(table.ada, table.panel.match, table.panel.plies + 2)
            for ear in table.others:
                await ear.forget()
            secret = await hunt(World(table.bot, table.ada, table.grace, table.emmy, opened, table.others))
            told.append(await table.heard())
            assert secret not in table.bot.log
    assert difference(*told) is None
