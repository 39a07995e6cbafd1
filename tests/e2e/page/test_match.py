"""Members of two servers play a match in the page, one window each, from the proposal to the result.

Set PENCILBOX_MATCH_SCREENS to a folder to take the screens of docs/match.md.
"""

import re
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from bot.sandbox import Sandbox
from bot.sandbox.world.world import World
from tests.contract.checker import Contract
from tests.e2e.bot_in_process import bot_here
from tests.e2e.events.meeting import VotersFirst
from tests.e2e.page.test_cup import both, opened, resign
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

SERVERS = {"Analysts": ("Ada", "Grace"), "Physicists": ("Lise", "Marie")}
WIDTHS = (1280, 1280, 400, 400)
"""The width of each member's window, those of the hosts first."""
CELLS = re.compile("^.{0,3}[a-f][1-5]")
"""The label of a button for a cell, or for a part of the board."""
SCREENS = "PENCILBOX_MATCH_SCREENS"


def named(world: World) -> list[str]:
    """Name both servers and their members. Return the members by id, the hosts first."""
    people = []
    for guild, (name, members) in zip(world.guilds.values(), SERVERS.items(), strict=True):
        guild["name"] = name
        for user, person in zip(world.members_of(guild["id"]), members, strict=True):
            user.update(username=person.lower(), global_name=person)
            people.append(user["id"])
    return people


def board(chat: Chat, match: int) -> Locator:
    """Return the board of a game."""
    more = chat.page.get_by_role("button", name="More", exact=True)
    return chat.messages.filter(has=more).filter(has_text=re.compile(rf"Skull #{match}(?![0-9])")).last


async def form(chat: Chat, page: str, button: str) -> Locator:
    """Open a form of `/settings`. Return it."""
    await chat.command("/settings")
    await chat.page.get_by_role("button", name=page, exact=True).last.click()
    await chat.page.get_by_role("button", name=button, exact=True).last.click()
    dialog = chat.page.get_by_role("dialog")
    await expect(dialog).to_be_visible()
    return dialog


async def chosen(chat: Chat, dialog: Locator, menu: str, option: str) -> None:
    """Choose an option of a menu in a form."""
    await dialog.get_by_role("combobox", name=re.compile(f"^{menu}")).first.click()
    await chat.page.get_by_role("option", name=re.compile(f"^{option}")).first.click()


async def accept(host: Chat, guest: Chat) -> None:
    """Let the manager of a server accept with the code that the manager of the other server got."""
    told = host.messages.filter(has_text="Send this code").last
    code = (await told.locator("code").first.inner_text()).strip()
    dialog = await form(guest, "Events", "Enter a code")
    await dialog.get_by_role("textbox").fill(code)
    await dialog.get_by_role("button", name="Submit").click()
    await guest.page.get_by_role("button", name="Accept", exact=True).last.click()


async def press_a_cell(chat: Chat, board: Locator) -> None:
    """Press the first cell on a board, or in the private message that shows its first part."""
    cells = board.get_by_role("button", name=CELLS)
    part = "–" in await cells.first.inner_text()
    await cells.first.click()
    if part:
        asked = chat.messages.filter(has_text="Only you can see this").last
        await asked.get_by_role("button", name=CELLS).first.click()


@pytest.mark.soak
async def test_two_servers_play_a_match_in_the_page(
    contract: Contract, tmp_path: Path, windows: Windows
) -> None:
    async with (
        Sandbox(members=("Ada", "Grace"), servers=2, observe=contract) as local,
        AsyncExitStack() as stack,
    ):
        ids = named(local.world)
        bot = await stack.enter_async_context(bot_here(local.url, tmp_path, chance=VotersFirst()))
        chats = await opened(stack, windows, local.url, dict(zip(ids, WIDTHS, strict=True)))
        ada, grace, lise, marie = chats
        shots = partial(both, [ada, lise], variable=SCREENS)

        dialog = await form(ada, "Events", "Propose a match")
        await chosen(ada, dialog, "Game", "The Amazon Skull Game")
        await chosen(ada, dialog, "Boards", "2 boards")
        await chosen(ada, dialog, "Games on each board", "One game")
        await dialog.get_by_label("Clock").fill("3d")
        await dialog.get_by_role("button", name="Submit").click()
        await accept(ada, lise)
        await expect(lise.messages.filter(has_text="Your server plays this match").last).to_be_visible()
        for number, chat in enumerate(chats):
            card = chat.messages.filter(has_text="Before you join").filter(has_text="Physicists, ").last
            if number == 3:
                for window in (ada, lise):
                    shown = window.messages.filter(has_text="Physicists, 1 of 2").last
                    await expect(shown).to_be_visible()
                    await shown.scroll_into_view_if_needed()
                await shots("1-card")
            await card.get_by_role("button", name="Join", exact=True).click()
            await expect(chat.messages.filter(has_text="You take part in this match").last).to_be_visible()
        for chat in chats:
            table = chat.messages.filter(has_text="0 of 2 games are over").last
            await expect(table).to_be_visible(timeout=30_000)
            await expect(table).not_to_contain_text("unknown")
        event = await bot.services.events.load(1)
        first, second = (it.match for it in event.pairings)
        for chat in (ada, lise):
            await board(chat, first).scroll_into_view_if_needed()
        await shots("2-boards")

        # Each moves on the board in their own server, and the other sees it there.
        for mover, other, match, plies in (
            (ada, lise, first, 1),
            (lise, ada, first, 2),
            (marie, grace, second, 1),
        ):
            await press_a_cell(mover, board(mover, match))
            picture = board(other, match).locator(f"img[src*='skull-{match}-{plies}.png']")
            await expect(picture).to_be_attached()
            await expect(board(other, match)).to_contain_text("your turn")
        for chat in (ada, lise):
            await board(chat, first).scroll_into_view_if_needed()
        await shots("3-moves")

        await resign(lise, board(lise, first))
        await resign(marie, board(marie, second))
        await bot.services.events.round()
        bot.outbox.wake()
        for chat in chats:
            result = chat.messages.filter(has_text="Analysts wins").last
            await expect(result).to_be_visible(timeout=60_000)
            await expect(result).to_contain_text("Analysts 2 : 0 Physicists")
            await result.scroll_into_view_if_needed()
        await shots("4-result")
        assert [chat.faults for chat in chats] == [[]] * 4
