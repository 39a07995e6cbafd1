"""Whole games in the page, in real Chromium: `make play`'s process, two windows, two members, one of them on a phone.

Set PENCILBOX_SCREENSHOTS to a folder to keep a picture of every step.
"""

import os
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, expect
from playwright.async_api import TimeoutError as TooLate

from rules.core.game import Game
from tests.e2e.play import OPEN
from tests.e2e.process import BotProcess
from tests.sandbox_page.browser import browser
from tests.sandbox_page.chat import Chat

WINDOWS = {"Ada": (1280, 800), "Grace": (400, 800)}
TURN = re.compile(r"@(Ada|Grace)\s+\S+, your turn")
MOVE_BY_MOVE = ("menu", "autocomplete", "typed", "button")


class Evening:
    """Two members in two windows."""

    def __init__(self, chats: dict[str, Chat], pictures: Path | None) -> None:
        self.chats = chats
        self._pictures = pictures
        self._shots = 0
        self.used: set[str] = set()

    async def look(self, what: str) -> None:
        """Keep a picture of both windows."""
        self._shots += 1
        if self._pictures is not None:
            for name, chat in self.chats.items():
                await chat.page.screenshot(path=self._pictures / f"{self._shots:02}-{what}-{name}.png")

    async def challenge(self, title: str, size: str) -> None:
        """Ada picks everything from the lists with the keyboard; Grace taps Accept."""
        ada, grace = self.chats["Ada"], self.chats["Grace"]
        await ada.composer.focus()
        await ada.type("/chal")
        await expect(ada.suggestions.first).to_contain_text("challenge")
        await ada.press("Enter")
        await ada.type("Gra")
        await ada.suggests(["Grace"])
        await ada.press("Enter")
        await ada.type(title)
        await expect(ada.suggestions).to_have_count(1)
        await ada.press("Enter")
        await self.look("challenge")
        await ada.page.get_by_role("button", name="size").click()
        await ada.type(size)
        await expect(ada.suggestions).to_have_count(1)
        await ada.press("Enter", "Enter")
        await grace.says("challenges @Grace")
        await self.look("challenged")
        await grace.button("Accept").click()
        await grace.says("your turn")

    async def mover(self) -> str | None:
        """Who is on turn, None when the game is over."""
        text = await self.chats["Ada"].last.inner_text()
        found = TURN.search(text)
        return found[1] if found else None

    async def to_the_end(self) -> None:
        plies = 0
        while (name := await self.mover()) is not None:
            chat = self.chats[name]
            await expect(chat.last).to_contain_text("your turn")
            panels = await chat.messages.count()
            await self._move(chat, MOVE_BY_MOVE[plies % len(MOVE_BY_MOVE)])
            for each in self.chats.values():
                await expect(each.messages).to_have_count(panels + 1)
            plies += 1
            if plies in (1, 2, 6):
                await self.look("playing")
        await self.look("over")

    async def _move(self, chat: Chat, way: str) -> None:
        buttons = chat.last.locator("button[data-key^='play:']:not(:disabled)")
        menu = chat.last.get_by_role("combobox")
        if way == "button" and await buttons.count():
            await buttons.first.click()
        elif way == "menu" and await menu.count():
            await self._choose(chat, menu)
        elif way == "typed":
            text = await self._offered(chat)
            await chat.button("Move").click()
            await chat.page.get_by_label("Your move").fill(f" {text.upper()}.")
            await chat.page.get_by_role("button", name="Submit").click()
        else:
            way = "autocomplete"
            await self._offered(chat, pick=True)
        self.used.add(way)

    async def _choose(self, chat: Chat, menu: Locator) -> None:
        """The first option; opened again if something that arrives has closed the menu, as one would."""
        panels = await chat.messages.count()
        while await chat.messages.count() == panels:
            await menu.click()
            try:
                await chat.page.locator("[role=listbox] [role=option]:visible").first.click(timeout=2000)
            except TooLate:
                continue
            return

    async def _offered(self, chat: Chat, *, pick: bool = False) -> str:
        """The first move that `/move` offers; played if picked, else the command is given up."""
        await chat.composer.focus()
        await chat.type("/move")
        await expect(chat.suggestions.first).to_contain_text("move")
        await chat.press("Enter")
        first = chat.suggestions.locator(".label").first
        await expect(first).to_have_text(re.compile("^[a-z]?[0-9]+(-[a-z]?[0-9]+)*$"))
        text = await first.inner_text()
        if pick:
            await chat.press("Enter", "Enter")
        else:
            await chat.press("Escape", "Escape")
        return text


@asynccontextmanager
async def evening(tmp_path: Path) -> AsyncIterator[Evening]:
    """The bot as `make play` runs it, and two windows."""
    pictures = Path(folder) if (folder := os.environ.get("PENCILBOX_SCREENSHOTS")) else None
    async with AsyncExitStack() as stack:
        chromium = await stack.enter_async_context(browser())
        bot = await BotProcess.start(tmp_path, PENCILBOX_PORT="0")
        stack.push_async_callback(bot.kill)
        address = re.search(r"http://[^ ]+", await bot.line())
        assert address is not None
        await bot.online(address[0].rstrip("/"))
        chats = {}
        for name, (width, height) in WINDOWS.items():
            context = await chromium.new_context(viewport={"width": width, "height": height})
            context.set_default_timeout(20_000)
            chat = Chat(await context.new_page())
            await chat.page.goto(address[0])
            await chat.says("Welcome to Pencilbox")
            if name != "Ada":
                await chat.switch(name)
            chats[name] = chat
        yield Evening(chats, pictures)
        assert [fault for chat in chats.values() for fault in chat.faults] == []
        assert await bot.stop() == 0
        assert "Traceback" not in bot.log, bot.log


@pytest.mark.parametrize("game", OPEN, ids=lambda game: game.key)
async def test_two_members_play_to_the_end(tmp_path: Path, game: Game[Any, Any]) -> None:
    async with evening(tmp_path) as table:
        await table.challenge(game.sheet.title, "quick")
        await table.to_the_end()
        assert table.used >= {"autocomplete", "typed"}
        assert table.used & {"button", "menu"}
        ada = table.chats["Ada"]
        await expect(ada.last).to_contain_text(re.compile("wins|draw"))
        await expect(ada.last.get_by_role("img").first).to_have_attribute("alt", re.compile("has won|draw"))
        await ada.command(f"/leaderboard game:{game.sheet.title}")
        await ada.says(f"Leaderboard of {game.sheet.title}")
        await expect(ada.last).to_contain_text(re.compile("1 (won|drawn)"))
        await table.look("leaderboard")
