"""Agreeing in the page, in real Chromium: a move taken back, a draw, a rematch, one window on a phone."""

import re

from playwright.async_api import Locator, expect

from tests.e2e.club import Club
from tests.e2e.page.test_whole_games import TURN, Evening, evening, pages
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows


async def test_a_takeback_a_draw_and_a_rematch(club: Club, windows: Windows) -> None:
    async with evening(windows, pages(club)) as table:
        await table.challenge("Alaric", "quick")
        mover, waiter = await turn(table, 0)
        await mover.command("/move move:3")
        await table.board(1)

        await more(table, mover, 1, "Take a move back")
        await waiter.says("asks to take back 3")
        await table.look("takeback")
        await table.panel(waiter, 1).get_by_role("button", name="Allow the takeback", exact=True).click()
        await table.board(2)
        await expect(table.panel(mover, 2)).to_contain_text("By agreement the game goes on from its start")
        await expect(call(waiter)).to_have_count(0)
        await table.look("taken-back")

        await more(table, waiter, 2, "Offer a draw")
        await mover.says("offers a draw")
        await table.look("draw")
        await table.panel(mover, 2).get_by_role("button", name="Accept the draw", exact=True).click()
        await expect(table.panel(mover, 3)).to_contain_text("A draw was agreed.")
        await expect(call(mover)).to_have_count(0)
        await table.look("drawn")

        match = re.search("Alaric #([0-9]+)", await table.panel(mover, 3).inner_text())
        assert match is not None
        again = f"Alaric #{int(match[1]) + 1}"
        await table.panel(mover, 3).get_by_role("button", name="Rematch").click()
        await waiter.says(f"for a rematch of #{match[1]}")
        await table.look("rematch")
        await waiter.button("Accept").click()
        for chat in (mover, waiter):
            await expect(table.panel(chat, 0)).to_contain_text(again)
            await expect(table.panel(chat, 0)).to_contain_text("your turn")
        second = await table.panel(waiter, 0).inner_text()
        found = TURN.search(second)
        assert found is not None
        assert table.chats[found[1]] is waiter
        await table.look("again")


async def turn(table: Evening, plies: int) -> tuple[Chat, Chat]:
    """The member on turn and the one who waits."""
    found = TURN.search(await table.panel(table.chats["Ada"], plies).inner_text())
    assert found is not None
    mover = table.chats[found[1]]
    (waiter,) = (chat for chat in table.chats.values() if chat is not mover)
    return mover, waiter


async def more(table: Evening, chat: Chat, plies: int, name: str) -> None:
    """Press one of the buttons behind More."""
    await table.panel(chat, plies).get_by_role("button", name="More", exact=True).click()
    await chat.says("what would you like to do?")
    await table.look("more")
    await chat.button(name).click()


def call(chat: Chat) -> Locator:
    """The message that asks for an answer to a proposal."""
    return chat.messages.filter(has_text="Answer on the board")
