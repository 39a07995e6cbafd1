"""Five members play a cup in the page, one window each, from the opening to the podium.

Set PENCILBOX_CUP_SCREENS to a folder to take the screens of docs/cup.md.
"""

import io
import os
import re
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Locator, expect

from bot.sandbox import Sandbox
from tests.contract.checker import Contract
from tests.e2e.bot_in_process import bot_here
from tests.e2e.page.test_taps import AT_REST
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

PEOPLE = ("Ada", "Grace", "Emmy", "Lise", "Hypatia")
WIDTHS = (1280, 400, 400, 1280, 400)
"""The width of each member's window."""
COLOURS = 128
"""The colours of a screen, which keep it small."""


async def shot(chat: Chat, name: str, variable: str) -> None:
    """Keep a screen of what is seen now, if a folder is set by a variable of the environment."""
    if folder := os.environ.get(variable):
        await chat.page.wait_for_function(AT_REST)
        picture = Image.open(io.BytesIO(await chat.page.screenshot())).convert("RGB")
        picture.quantize(COLOURS).save(Path(folder) / f"{name}.png", optimize=True)


async def opened(stack: AsyncExitStack, windows: Windows, url: str, members: Mapping[str, int]) -> list[Chat]:
    """Open a window of a width for each of these members, by their ids."""
    chats = []
    for user, width in members.items():
        chat = await stack.enter_async_context(windows.lend(width=width, height=820))
        await chat.page.emulate_media(color_scheme="dark")
        await chat.page.goto(f"{url}/?as={user}")
        chats.append(chat)
    return chats


async def resign(chat: Chat, board: Locator) -> None:
    """Resign a game by the menu below its board."""
    await board.get_by_role("button", name="More", exact=True).click()
    for label in ("Resign", "Yes, resign"):
        await chat.page.get_by_role("button", name=label, exact=True).last.click()
    await expect(chat.messages.filter(has_text="You resigned").last).to_be_visible()


async def both(windows: list[Chat], name: str, variable: str = "PENCILBOX_CUP_SCREENS") -> None:
    """Keep screens of a wide and of a narrow window."""
    await shot(windows[0], f"{name}-1280", variable)
    await shot(windows[1], f"{name}-400", variable)


@pytest.mark.soak
async def test_five_members_play_a_cup_in_the_page(
    contract: Contract, tmp_path: Path, windows: Windows
) -> None:
    async with (
        Sandbox(members=PEOPLE, observe=contract) as local,
        bot_here(local.url, tmp_path) as bot,
        AsyncExitStack() as stack,
    ):
        ids = (it["id"] for it in local.world.members)
        open_ = await opened(stack, windows, local.url, dict(zip(ids, WIDTHS, strict=True)))
        ada = open_[0]
        await ada.command("/cup game:Alaric size:quick players:5 clock:3d")
        card = [it.messages.filter(has_text="opens a cup for up to 5 players").last for it in open_]
        for number, (chat, message) in enumerate(zip(open_, card, strict=True)):
            join = message.get_by_role("button", name="Join", exact=True)
            await expect(join).to_be_visible()
            if number == 4:
                await both(open_, "1-card")
            await join.click()
            told = f"You take part in this cup{'.' if number < 4 else ', and it has started'}"
            await expect(chat.messages.filter(has_text=told).last).to_be_visible()
        for chat in open_:
            table = chat.messages.filter(has_text="0 of 20 games are over").last
            await expect(table).to_be_visible(timeout=30_000)
            await table.scroll_into_view_if_needed()
        await both(open_, "2-start")

        # Everybody but Ada resigns one game in their window; the others are resigned below.
        for chat in open_[1:]:
            await chat.command("/games")
            await expect(chat.messages.filter(has_text="Your events (1)").last).to_be_visible()
        event = await bot.services.events.load(1)
        users = event.users
        for loser in (4, 3, 2, 1):
            pairings = [it for it in event.pairings if loser == max(it.first, it.second)]
            chat = open_[loser]
            for place, pairing in enumerate(pairings):
                if place:
                    await bot.services.matches.resign(pairing.match, users[loser])
                    continue
                more = chat.page.get_by_role("button", name="More", exact=True)
                boards = chat.messages.filter(has=more, has_not_text="Finished games")
                await resign(chat, boards.filter(has_text=re.compile(rf"Alaric #{pairing.match}\b")).last)
            bot.outbox.wake()
            if loser == 3:
                table = open_[1].messages.filter(has_text="of 20 games are over").first
                await expect(
                    open_[1].messages.filter(has_text="14 of 20 games are over").first
                ).to_be_attached(timeout=30_000)
                for window in open_[:2]:
                    table = window.messages.filter(has_text="14 of 20 games are over").first
                    await table.scroll_into_view_if_needed()
                await both(open_, "3-table")
        await bot.services.events.round()
        bot.outbox.wake()
        for chat in open_:
            podium = chat.messages.filter(has_text="🥇").last
            await expect(podium).to_be_visible(timeout=60_000)
            await expect(podium).to_contain_text("8 points")
            await podium.scroll_into_view_if_needed()
        await both(open_, "4-podium")
        assert [chat.faults for chat in open_] == [[]] * 5
