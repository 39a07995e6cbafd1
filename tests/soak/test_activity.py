"""The pages of the Activity while the bot is killed and sockets are lost: no move is lost, and none is played twice."""

import asyncio
import os
import random
from collections import Counter, defaultdict
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.app.matches.loaded import LoadedMatch
from db.engine import open_store
from tests.activity.pages import Page, Pages, served
from tests.contract.player import Player
from tests.db.given import match_of
from tests.db.postgres import PostgresServer
from tests.e2e.bot_process import BotProcess
from tests.e2e.panels import panel_at
from tests.e2e.play import challenge
from tests.many_processes.deployment import Size, deployment

DISTURBANCES = int(os.environ.get("PENCILBOX_KILLS", "60"))
"""Kills of the bot and lost sockets, half of each."""
LONGEST_S = 900
"""A page that shows an old board would stop the play for ever."""
GAMES = ("alaric", "skull", "xlines", "maze")


class Tables:
    """Two members who play one game after the other in their pages. The first has two pages of the same game."""

    def __init__(self, pages: list[Page], seats: list[Player], chance: random.Random) -> None:
        self.pages, self.seats, self.chance = pages, seats, chance
        self.pressed: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        """By match and ply: the moves that a member has pressed on the board with so many plies."""
        self.counts: Counter[str] = Counter()

    async def open(self, match: int) -> None:
        for page in self.pages:
            while page.board is None or page.board["match"] != match:
                await page.send(type="open", match=match)
                await page.changed()

    async def press(self, match: int) -> None:
        """Let the member on turn press a move twice, in one of their pages; wait for the answer to both."""
        page = next((it for it in self.pages if it.board and it.board["mine"]), None)
        if page is None:
            await self.pages[0].changed()
            return
        assert page.board is not None
        ply = page.board["ply"]
        move = self.chance.choice(page.board["entry"]["places"])["move"]
        self.pressed[match][ply].add(move)
        twins = [it for it in self.pages if it.board and it.board["mine"] and it.board["ply"] == ply]
        for one in (page, self.chance.choice(twins)):
            await one.send(type="play", match=match, ply=ply, move=move)
            self.counts["pressed"] += 1
        await page.changed()


@pytest.mark.soak
async def test_kills_and_lost_sockets_lose_and_double_no_move(tmp_path: Path) -> None:
    chance = random.Random(1)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(LONGEST_S))
        url, pages, bot, ada, grace = await stack.enter_async_context(served(tmp_path))
        opened = [await stack.enter_async_context(pages.page(int(it.id))) for it in (ada, ada, grace)]
        tables = Tables(opened, [ada, grace], chance)
        disturbed, matches = 0, list[int]()
        while disturbed < DISTURBANCES:
            panel = await challenge(ada, grace, GAMES[len(matches) % len(GAMES)], "quick")
            matches.append(panel.match)
            await tables.open(panel.match)
            while not all(it.board and it.board["over"] for it in opened):
                pressing = asyncio.create_task(tables.press(panel.match))
                if chance.random() < 0.3 and disturbed < DISTURBANCES:
                    disturbed += 1
                    await asyncio.sleep(chance.uniform(0, 0.1))
                    if disturbed % 2:
                        await _kill(bot, url, ada)
                    else:
                        chance.choice(opened).drop()
                await pressing
        assert await bot.stop() == 0
        plies = await _check(tmp_path, matches, tables)
        pressed, kills = tables.counts["pressed"], (disturbed + 1) // 2
        print(
            f"\n{len(matches)} games: {plies} plies, {pressed} presses, {kills} kills, {disturbed - kills} lost sockets"
        )


@pytest.mark.soak
async def test_page_is_served_by_another_process(postgres_server: PostgresServer) -> None:
    """The page opens at the match whose button was pressed elsewhere, and its moves are shown in the channel."""
    async with deployment(Size(servers=2, shards=2), forked=True, postgres=postgres_server) as made:
        served = {}
        for pages in (Pages(made.local), Pages(made.local)):
            served[await made.start("bot", **pages.settings)] = pages
        await made.all_served()
        ada, grace = made.members[0]
        panel = await challenge(ada, grace, "skull", "quick")
        elsewhere = next(name for name in served if 0 not in made.servers_of(made.shards_of(name)))
        button = f"touch:{panel.match}"
        assert (await ada.press(panel.message, button))["outcome"] == "activity"
        async with (
            served[elsewhere].page(int(ada.id)) as mine,
            served[elsewhere].page(int(grace.id)) as other,
        ):
            await mine.shows(panel.match)
            await other.send(type="open", match=panel.match)
            board = await other.shows(panel.match)
            mover = mine if mine.board and mine.board["mine"] else other
            while not mover.board or not mover.board["mine"]:
                await mover.arrived()
            move = mover.board["entry"]["places"][0]["move"]
            await mover.send(type="play", match=panel.match, ply=board["ply"], move=move)
            await mine.shows(panel.match, board["ply"] + 1)
            await other.shows(panel.match, board["ply"] + 1)
            assert (await panel_at(ada, panel.match, board["ply"] + 1)).plies == board["ply"] + 1
            for one, two, agree in ((mine, other, False), (other, mine, True)):
                await one.send(type="propose", match=panel.match, matter="draw")
                while not (asked := (two.board or {})["proposals"]):
                    await two.changed()
                    assert one.refused == []
                assert asked[0]["asked"]
                await two.send(type="reply", proposal=asked[0]["id"], agree=agree)
                while (one.board or {})["proposals"] or (two.board or {})["proposals"]:
                    await one.changed()
                    assert two.refused == []
            while not (mine.board or {})["over"]:
                await mine.changed()


async def _kill(bot: BotProcess, url: str, member: Player) -> None:
    await bot.kill()
    await bot.start_again(url, member.id)


async def _check(folder: Path, matches: list[int], tables: Tables) -> int:
    """Compare what is stored with what was pressed and with what the pages show; return the number of plies."""
    plies = 0
    async with open_store(None, folder) as store:
        for match in matches:
            stored = await match_of(store, match)
            last = LoadedMatch.of(stored)
            for number, entry in enumerate(stored.log):
                before = last.back_to(number).match
                forced = entry.seat is None or len(before.legal() or ()) == 1
                assert forced or entry.text in tables.pressed[match][number], (match, number, entry)
            assert last.match.over
            assert max(tables.pressed[match]) < len(stored.log)
            plies += len(stored.log)
        for page in tables.pages:
            assert page.board is not None
            assert page.board["ply"] == last.shown
            assert page.backwards == 0
    return plies
