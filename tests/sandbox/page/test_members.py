"""Several members: private messages, pings, and switching between members."""

import re
from collections.abc import Sequence

import pytest
from playwright.async_api import expect

from bot.sandbox import Sandbox
from tests.contract.player import players
from tests.sandbox.page.chat import Chat, Step
from tests.sandbox.page.conftest import Open, steps_of, take
from tests.sandbox.page.test_components import open_menu_survives_changes, others_see_the_change

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def private_response_follows_its_member(chat: Chat) -> None:
    await chat.command("/secret")
    await chat.says("The password is")
    await chat.switch("Grace")
    await expect(chat.page.get_by_text("The password is")).to_have_count(0)
    await chat.switch("Ada")
    await expect(chat.page.get_by_text("The password is")).to_be_visible()


async def spoiler_is_shown_on_press(chat: Chat) -> None:
    await chat.command("/secret")
    word = chat.last.get_by_text("swordfish")
    await expect(word).to_be_hidden()
    await chat.last.get_by_role("button", name="Spoiler: press to show").focus()
    await chat.press("Enter")
    await expect(word).to_be_visible()


@pytest.mark.soak
async def test_mention_that_was_read_is_cleared(open_chat: Open, local: Sandbox) -> None:
    """It is read once it was visible, even if newer messages below it were not."""
    async with players(local.url) as (ada, grace, _):
        for number in range(30):
            await ada.say(f"message {number}")
        chat = await open_chat("Grace", height=500)
        await chat.says("message 29")
        await chat.messages.nth(3).scroll_into_view_if_needed()
        await ada.say(f"Look, <@{grace.id}>")
        for number in range(25):
            await ada.say(f"and {number}")
    pinged = chat.page.get_by_role("button", name="Channel general, 1 mentions")
    await expect(pinged).to_be_visible()
    await chat.page.get_by_text("Look, @Grace").scroll_into_view_if_needed()
    await expect(pinged).to_have_count(0)
    await expect(chat.page.locator(".jump")).to_contain_text("new messages")


async def ping_of_another_member_offers_to_switch(chat: Chat) -> None:
    await chat.command("/greet grace")
    await chat.says("Hello, @Grace!")
    await expect(chat.page.locator(".banner.call")).to_contain_text("Grace was mentioned in general.")
    row = chat.page.get_by_role("complementary", name="Members").get_by_role(
        "button", name="Switch to Grace, 1 mentions"
    )
    await expect(row).to_be_visible()
    await chat.page.locator(".banner.call").get_by_role("button", name="Switch to Grace").click()
    await expect(chat.composer).to_have_attribute("placeholder", "Message #general as Grace")
    await expect(chat.last).to_have_class(re.compile("pinged"))
    await expect(chat.last.locator(".mention.me")).to_have_text("@Grace")
    await expect(chat.page.locator(".banner.call")).to_have_count(0)
    await chat.switch("Ada")


async def pings_are_counted_per_channel_and_in_the_title(ada: Chat, grace: Chat) -> None:
    await grace.page.get_by_role("button", name="Channel games").click()
    await expect(grace.page).to_have_title(re.compile(r"^games"))
    await ada.command("/greet grace")
    await ada.command("/greet grace")
    await expect(grace.page.get_by_role("button", name="Channel general, 2 mentions, unread")).to_be_visible()
    await expect(grace.page).to_have_title(re.compile(r"^\(2\) games"))
    await grace.page.get_by_role("button", name="Channel general").click()
    await expect(grace.page).to_have_title(re.compile(r"^general"))
    await expect(grace.page.locator(".divider.new")).to_be_visible()
    # Messages that were read stay read.
    await grace.page.reload()
    await grace.says("Hello, @Grace!")
    await expect(grace.page.locator(".count")).to_have_count(0)


@pytest.mark.soak
async def test_two_windows(open_chat: Open) -> None:
    """Two members use one message, see what is meant for both, and each alone what is private."""
    ada, grace = await open_chat("Ada"), await open_chat("Grace")
    await others_see_the_change(ada, grace)
    await open_menu_survives_changes(ada, grace)
    await pings_are_counted_per_channel_and_in_the_title(ada, grace)


async def user_command_is_in_the_menu(chat: Chat) -> None:
    await chat.page.get_by_role("button", name="More about Emmy").focus()
    await chat.press("Enter")
    menu = chat.page.get_by_role("menu", name="Emmy")
    await expect(menu.get_by_role("menuitem")).to_have_text(["Switch to Emmy", "Mention", "Message", "Wave"])
    await chat.press("End", "Enter")
    await chat.says("@Ada waves at @Emmy.")
    await expect(chat.last.locator(".context")).to_contain_text("Ada used Wave")
    await chat.page.get_by_role("complementary", name="Members").get_by_text("Grace").click(button="right")
    await chat.page.get_by_role("menuitem", name="Wave").click()
    await chat.says("@Ada waves at @Grace.")


async def message_command_is_in_the_menu(chat: Chat) -> None:
    await chat.last.get_by_role("button", name="More about this message").focus()
    await chat.press("Enter", "ArrowDown", "Enter")
    await expect(chat.last.locator("blockquote")).to_have_text("Hello! Type / to begin.")


async def escape_closes_the_author_menu(chat: Chat) -> None:
    author = chat.last.get_by_role("button", name="Bot")
    await author.focus()
    await chat.press("Enter")
    await expect(chat.page.get_by_role("menu")).to_be_visible()
    await chat.press("Escape")
    await expect(chat.page.get_by_role("menu")).to_have_count(0)
    await expect(author).to_be_focused()


async def threads_are_listed_below_their_channel(chat: Chat) -> None:
    await chat.command("/thread quiet corner")
    await chat.says("Opened #quiet corner.")
    await expect(chat.page.get_by_role("button", name="Thread quiet corner, unread")).to_be_visible()
    await chat.last.get_by_role("button", name="#quiet corner").click()
    await chat.says("First words here.")
    await expect(chat.page.get_by_role("button", name="Thread quiet corner", exact=True)).to_have_attribute(
        "aria-current", "page"
    )


async def member_starts_a_thread(chat: Chat) -> None:
    await chat.page.get_by_role("button", name="New thread in games").focus()
    await chat.press("Enter")
    await chat.type("Openings")
    await chat.press("Enter")
    await expect(chat.page.get_by_role("button", name="Thread Openings")).to_have_attribute(
        "aria-current", "page"
    )
    await expect(chat.composer).to_be_focused()
    await chat.type("Is anybody here?")
    await chat.press("Enter")
    await chat.says("Is anybody here?")


async def draft_belongs_to_its_member(chat: Chat) -> None:
    await chat.type("half a sen")
    await chat.switch("Grace")
    await expect(chat.composer).to_have_value("")
    await chat.switch("Ada")
    await expect(chat.composer).to_have_value("half a sen")


@steps_of(
    message_command_is_in_the_menu,
    private_response_follows_its_member,
    ping_of_another_member_offers_to_switch,
    threads_are_listed_below_their_channel,
    rest=(
        escape_closes_the_author_menu,
        spoiler_is_shown_on_press,
        user_command_is_in_the_menu,
        draft_belongs_to_its_member,
        member_starts_a_thread,
    ),
)
async def test_menus_threads_and_switching(open_chat: Open, steps: Sequence[Step]) -> None:
    """One member uses menus, opens threads and switches to another member."""
    await take(open_chat, *steps)
