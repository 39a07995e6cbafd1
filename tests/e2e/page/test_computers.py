"""A member alone plays the computer in the page, on a phone.

Set PENCILBOX_SCREENSHOTS to a folder to keep pictures.
"""

import os
import re
from pathlib import Path

from playwright.async_api import expect

from tests.e2e.club import Club
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

ENDED = re.compile(" beat | drew |share")
MOVES = 3
"""Moves of the member; `test_whole_games` plays to the end."""


async def look(chat: Chat, what: str) -> None:
    if folder := os.environ.get("PENCILBOX_SCREENSHOTS"):
        await chat.page.screenshot(path=Path(folder) / f"computer-{what}.png")


async def test_a_member_alone_plays(club: Club, windows: Windows) -> None:
    async with windows.lend(width=400, height=800) as ada:
        await ada.page.goto(f"{club.local.url}/?as={club.ada.id}")
        await ada.command("/play")
        await ada.says("Play against the computer")
        await look(ada, "menu")
        levels = ada.last.locator("[role=combobox][data-key='play-level']")
        await levels.click()
        await look(ada, "levels")
        await ada.page.locator("[role=listbox] [role=option]:visible").filter(has_text="Crayon").click()
        await ada.says("Draws outside the lines")
        await ada.last.locator("[role=combobox][data-key='play-game:1']").click()
        await ada.page.locator("[role=listbox] [role=option]:visible").filter(has_text="Skull").click()
        # Crayon may have the first move, and leave the line of it above the board.
        await expect(ada.messages.filter(has_text="The Amazon Skull Game #").last).to_be_visible()
        board = ada.messages.filter(has_text="against").last
        moves = 0
        while moves < MOVES and not ENDED.search(await board.inner_text()):
            buttons = board.locator("button[data-key^='play:']:not(:disabled)")
            parts = board.locator("button[data-key^='part:']:not(:disabled)")
            await expect(buttons.or_(parts).first).to_be_visible()
            await look(ada, f"board-{moves}")
            source = await board.locator("img:not(.emoji)").first.get_attribute("src")
            if await buttons.count():
                await buttons.first.click()
            else:
                await parts.first.click()
                private = ada.messages.filter(has_text="Only you can see this").last
                await private.locator("button[data-key^='play:']:not(:disabled)").first.click()
            moves += 1
            board = ada.messages.filter(has_text="against").last
            await expect(board.locator("img:not(.emoji)").first).not_to_have_attribute("src", source or "")
            await expect(board).to_contain_text(re.compile(r"your turn| beat | drew |share"))
        await expect(board).to_contain_text("Crayon (computer)")
        await look(ada, "over")
        assert ada.faults == []
