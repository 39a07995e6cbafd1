"""The feed: history, new messages, and a restarted server."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import expect

from bot.sandbox import Sandbox
from tests.contract.player import players
from tests.sandbox.page.chat import Chat, Held
from tests.sandbox.page.conftest import Open
from tests.sandbox.page.showcase import Showcase
from tests.sandbox.page.windows import Windows

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCROLL = "id => document.querySelector(`[data-id='${id}']`).scrollIntoView({block: 'nearest'})"
GROWN = """async () => {
    const scroller = document.querySelector(".scroller");
    document.querySelector("#foot").style.paddingTop = "80px";
    scroller.dispatchEvent(new Event("scroll"));
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
}"""
POSITION = "id => document.querySelector(`[data-id='${id}']`).getBoundingClientRect().top"


SCROLL_AND_PRESS = """() => {
    document.querySelector(".scroller").scrollTop = 0;
    [...document.querySelectorAll("[data-key='press']")].at(-1).click();
    return document.querySelector(".scroller").scrollTop;
}"""


async def say(local: Sandbox, *texts: str) -> None:
    """Post messages as Grace. A page that is open draws each of them, which costs more than all else here."""
    async with players(local.url) as (_, grace, *_):
        for text in texts:
            await grace.say(text)


async def test_history_is_loaded_without_jumps(open_chat: Open, local: Sandbox) -> None:
    await say(local, *[f"message {number}" for number in range(120)])
    chat = await open_chat()
    await chat.says("message 119")
    await expect(chat.messages).to_have_count(50)
    first = chat.messages.first
    await expect(first).to_contain_text("message 70")
    id_ = await first.get_attribute("data-id")
    await chat.page.evaluate(SCROLL, id_)
    before = await chat.page.evaluate(POSITION, id_)
    await expect(chat.messages).to_have_count(100)
    assert abs(await chat.page.evaluate(POSITION, id_) - before) <= 2
    await expect(chat.page.get_by_role("button", name="Jump to the newest")).to_be_visible()
    await chat.page.evaluate(SCROLL, await chat.messages.first.get_attribute("data-id"))
    await expect(chat.page.get_by_text("This is the beginning of general.")).to_be_attached()
    await expect(chat.messages).to_have_count(121)


async def new_messages_do_not_scroll(chat: Chat, local: Sandbox) -> None:
    anchor = chat.messages.nth(3)
    await anchor.scroll_into_view_if_needed()
    await expect(chat.page.locator(".jump")).to_be_visible()
    id_ = await anchor.get_attribute("data-id")
    before = await chat.page.evaluate(POSITION, id_)
    await say(local, "and one", "and two")
    jump = chat.page.get_by_role("button", name="2 new messages")
    await expect(jump).to_be_visible()
    assert await chat.page.evaluate(POSITION, id_) == before
    await jump.click()
    await expect(chat.last).to_be_in_viewport()
    await expect(jump).to_be_hidden()

    # What one sends oneself comes into sight.
    await anchor.scroll_into_view_if_needed()
    await expect(chat.page.locator(".jump")).to_be_visible()
    await chat.command("/secret")
    await chat.says("The password is")
    await expect(chat.last).to_be_in_viewport()


async def end_stays_visible_after_a_picture(chat: Chat) -> None:
    await chat.command("/panel")
    await expect(chat.last.get_by_role("link", name="Docs")).to_be_in_viewport()
    await chat.button("Press me").click()
    await chat.says("Pressed 1 times")
    await expect(chat.last.get_by_role("link", name="Docs")).to_be_in_viewport()
    # The browser reports scrolling late. Meanwhile the composer may have grown.
    assert await chat.page.evaluate(GROWN) < 1


async def change_does_not_undo_scrolling(chat: Chat) -> None:
    await chat.command("/panel")
    await expect(chat.last.get_by_role("button", name="Press me")).to_be_in_viewport()
    # The press is drawn before the browser reports the scrolling.
    assert await chat.page.evaluate(SCROLL_AND_PRESS) == 0
    await expect(chat.page.get_by_role("button", name="Jump to the newest")).to_be_visible()
    await chat.says("Pressed 1 times")
    await expect(chat.last).not_to_be_in_viewport()

    # A private answer comes into sight.
    await chat.button("Whisper").dispatch_event("click")
    await chat.says("alone.")
    await expect(chat.last).to_be_in_viewport()
    await expect(chat.page.locator(".jump")).to_be_hidden()


async def test_page_reconnects_to_a_restarted_server(windows: Windows, tmp_path: Path) -> None:
    world = tmp_path / "world"
    async with windows.lend() as chat:
        async with Sandbox(path=world, welcome="Hello!") as local:
            port = int(local.url.rsplit(":", 1)[1])
            await chat.page.goto(f"{local.url}/?as={local.member('Ada')['id']}")
            await chat.says("Hello!")
            await expect(chat.page.get_by_text("No bot has logged in yet.").first).to_be_visible()
        await expect(chat.page.get_by_text("Connecting to the local server…")).to_be_visible()
        async with Sandbox(port=port, path=world) as local, players(local.url) as (ada, grace, _):
            # Posted before the window reconnects: no event reports it, so the page must read it again.
            await grace.say(f"Welcome back, <@{ada.id}>")
            await chat.says("Welcome back, @Ada")
            await expect(chat.page.get_by_text("Connecting to the local server…")).to_have_count(0)


@pytest.mark.soak
async def test_message_during_loading_is_kept(open_chat: Open, local: Sandbox) -> None:
    ada, grace = await open_chat("Ada"), await open_chat("Grace")
    held = Held()
    await ada.page.route("**/local/channels/*/messages?*", held.back)
    await ada.page.get_by_role("button", name="Channel games").click()
    await asyncio.wait_for(held.answered.wait(), 60)
    await grace.page.get_by_role("button", name="Channel games").click()
    await grace.composer.fill("Said in between")
    await grace.press("Enter")
    await grace.says("Said in between")
    # Events arrive in order: after this one, the one before has arrived too.
    await say(local, "And elsewhere")
    await expect(ada.page.get_by_role("button", name="Channel general, unread")).to_be_visible()
    held.go.set()
    await ada.says("Said in between")


@pytest.mark.soak
async def test_edit_above_the_loaded_messages_leaves_no_gap(
    open_chat: Open, local: Sandbox, showcase: Showcase
) -> None:
    async with players(local.url) as (ada, grace, _):
        await ada.command("panel")
        await say(local, *[f"message {number}" for number in range(60)])
        chat = await open_chat()
        await chat.says("message 59")
        await expect(chat.messages).to_have_count(50)
        panel = (await ada.get(f"channels/{ada.channel}/messages", limit="100"))[1]
        await ada.press(panel, "press")
        await grace.say("and one")
    # Events arrive in order: after this one, the edit has arrived too.
    await chat.says("and one")
    await expect(chat.messages).to_have_count(51)
    await chat.page.evaluate(SCROLL, await chat.messages.first.get_attribute("data-id"))
    await expect(chat.messages).to_have_count(63)
    await expect(chat.messages.nth(1)).to_contain_text("Pressed 1 times")


@pytest.mark.soak
async def test_feed_keeps_its_position(open_chat: Open, local: Sandbox) -> None:
    """New messages, pictures and edits leave a member where they read."""
    await say(local, *[f"message {number}" for number in range(40)])
    chat = await open_chat()
    await new_messages_do_not_scroll(chat, local)
    await chat.begin_again()
    await end_stays_visible_after_a_picture(chat)
    await chat.begin_again()
    await change_does_not_undo_scrolling(chat)
