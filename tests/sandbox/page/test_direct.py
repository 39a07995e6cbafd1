"""Direct messages in the page: with another member, in a group, and with the bot."""

import pytest
from playwright.async_api import expect

from bot.sandbox import Sandbox
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.conftest import Open
from tests.sandbox.page.showcase import Showcase

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def picked(chat: Chat, user: str, item: str) -> None:
    """Pick an item of the menu of a member."""
    await chat.page.get_by_role("button", name=f"More about {user}").click()
    await chat.page.get_by_role("menuitem", name=item, exact=True).click()


@pytest.mark.soak
async def test_members_write_to_each_other(open_chat: Open, local: Sandbox, showcase: Showcase) -> None:
    chat = await open_chat("Ada")
    await picked(chat, "Grace", "Message")
    await expect(chat.composer).to_have_attribute("placeholder", "Message Grace as Ada")
    await chat.type("Just us")
    await chat.press("Enter")
    await chat.says("Just us")
    await chat.type("/")
    await expect(chat.suggestions).to_have_count(0)  # the bot has not been added
    await chat.press("Backspace")
    await picked(chat, "Emmy", "New group with these and them")
    await expect(chat.composer).to_have_attribute("placeholder", "Message Grace, Emmy as Ada")
    await expect(chat.messages).to_have_count(0)
    await picked(chat, "Bot", "Message")
    await expect(chat.composer).to_have_attribute("placeholder", "Message Bot as Ada")
    await chat.type("/say")
    await expect(chat.suggestions.first).to_contain_text("say")

    grace = await open_chat("Grace")
    rows = grace.page.get_by_role("navigation", name="Channels").get_by_role("listitem")
    await expect(rows).to_have_count(4)
    await expect(rows.nth(2)).to_contain_text("Ada")
    await expect(rows.nth(3)).to_contain_text("Ada, Emmy")
    await grace.page.get_by_role("button", name="Direct messages Ada, unread").click()
    await grace.says("Just us")
