"""The beginning of a game in the page, in real Chromium: a window on a desktop and one on a phone.

Set PENCILBOX_SCREENSHOTS to a folder to keep a picture of every step. `test_taps.py` presses the parts of other boards,
and `tests/e2e/matches` plays whole games over the wire.
"""

import os
import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.bot_process import playing
from tests.e2e.play import OPEN
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

WINDOWS = {"Ada": (1280, 800), "Grace": (400, 800)}
TURN = re.compile(r"@(Ada|Grace)\b[^\n@]*, your turn")
WAYS = ("button", "typed", "autocomplete")
"""The ways in which the first moves are made."""


class Evening:
    """Two members, each in a window."""

    def __init__(self, chats: dict[str, Chat]) -> None:
        self.chats = chats
        self._shots = 0

    async def look(self, what: str) -> None:
        """Keep a picture of every window."""
        self._shots += 1
        if folder := os.environ.get("PENCILBOX_SCREENSHOTS"):
            for name, chat in self.chats.items():
                await chat.page.screenshot(path=Path(folder) / f"{self._shots:02}-{what}-{name}.png")

    async def challenge(self, title: str, size: str) -> None:
        """Ada picks everything from the lists with the keyboard, and Grace taps Accept."""
        ada, grace = self.chats.values()
        await ada.paste("/chal")
        await expect(ada.suggestions.first).to_contain_text("challenge")
        await ada.press("Enter")
        for option, value in (("member", "Grace"), ("game", title), ("size", size)):
            await ada.page.get_by_role("button", name=f"Add {option}:").click()
            # After a whole value, Enter would send the command at once, because no option is required.
            await ada.type(value[:-1])
            await expect(ada.suggestions).to_have_count(1)
            await ada.press("Enter")
        await self.look("challenge")
        await ada.press("Enter")
        await grace.says("challenges @Grace")
        await self.look("challenged")
        await grace.button("Accept").click()
        await self.board(0)

    def panel(self, chat: Chat, plies: int) -> Locator:
        """The message that shows the board after so many plies."""
        picture = chat.page.locator(f"img[src*='-{plies}.png']")
        return chat.messages.filter(has=picture).last

    async def board(self, plies: int) -> None:
        """Wait until everybody sees the board after so many plies."""
        for chat in self.chats.values():
            await expect(self.panel(chat, plies)).to_contain_text("your turn")

    async def move(self, plies: int, way: str) -> None:
        """The member on turn makes a move in this way."""
        found = TURN.search(await self.panel(self.chats["Ada"], plies).inner_text())
        assert found is not None
        chat = self.chats[found[1]]
        panel = self.panel(chat, plies)
        if way == "button":
            buttons = panel.locator("button[data-key^='play:']:not(:disabled)")
            await buttons.nth(plies % await buttons.count()).click()
        else:
            await chat.paste("/move ")
            first = chat.suggestions.locator(".label").first
            await expect(first).to_have_text(re.compile(r"^[a-z][0-9]+(, .+)?$"))
            text = (await first.inner_text()).split(",")[0]
            if way == "typed":
                await chat.press("Escape", "Escape")
                await panel.get_by_role("button", name="Type a move", exact=True).click()
                await chat.page.get_by_role("textbox", name="Your move").fill(f" {text.upper()}.")
                await self.look("form")
                await chat.page.get_by_role("button", name="Submit").click()
            else:
                await chat.type(text)
                await expect(first).to_contain_text(text)
                await self.look("autocomplete")
                # Enter could pick what comes just now once more; the button sends what is there.
                await chat.page.get_by_role("button", name="Send", exact=True).click()
        await self.board(plies + 1)


@pytest.mark.soak
async def test_members_play_where_make_play_has_started_the_bot(tmp_path: Path, windows: Windows) -> None:
    """With the local Discord in the bot's process, and members changed in the page.

    In `make test`, `test_first_game.py` plays in the page, `test_activity.py` where `make play` has started the bot,
    and `tests/sandbox/page` composes commands and fills in forms.
    """
    async with playing(tmp_path) as address, AsyncExitStack() as stack:
        table = Evening({})
        for name, (width, height) in WINDOWS.items():
            chat = await stack.enter_async_context(windows.lend(width=width, height=height))
            await chat.page.goto(address)
            if table.chats:
                await chat.switch(name)
            await expect(chat.composer).to_have_attribute("placeholder", f"Message #general as {name}")
            table.chats[name] = chat
        ada = table.chats["Ada"]
        await ada.says("Pencilbox is here")
        await table.challenge(OPEN[0].sheet.title, "quick")
        for plies, way in enumerate(WAYS):
            await table.move(plies, way)
        picture = table.panel(ada, len(WAYS)).locator("img:not(.emoji)").first
        await expect(picture).to_have_js_property("naturalWidth", 900)
        await expect(picture).to_have_attribute("alt", re.compile("."))
        assert [fault for chat in table.chats.values() for fault in chat.faults] == []
