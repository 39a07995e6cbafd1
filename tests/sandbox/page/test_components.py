"""Buttons and select menus."""

from collections.abc import Sequence

import pytest
from playwright.async_api import Locator, expect

from tests.sandbox.page.chat import Chat, Held, Step
from tests.sandbox.page.conftest import Open, SkippableClock, steps_of, take
from tests.sandbox.page.showcase import Showcase

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def press_keeps_the_focus(chat: Chat) -> None:
    await chat.command("/panel")
    await chat.says("Pressed 0 times")
    picture = await chat.last.locator("img").last.get_attribute("src")
    await chat.button("Press me").focus()
    await chat.press("Enter")
    await chat.says("Pressed 1 times")
    await expect(chat.button("Press me")).to_be_focused()
    assert await chat.last.locator("img").last.get_attribute("src") != picture
    await expect(chat.last.locator(".edited")).to_have_text("(edited)")
    await chat.press("Space")
    await chat.says("Pressed 2 times")


async def changed_message_is_usable_before_the_call_ends(chat: Chat) -> None:
    await chat.command("/panel")
    held = Held()
    await chat.page.route("**/local/press", held.back, times=1)
    await chat.button("Press me").click()
    await chat.says("Pressed 1 times")
    await chat.button("Press me").click()
    await chat.says("Pressed 2 times")
    held.go.set()


async def drawing_waits_for_the_end_of_a_press(chat: Chat) -> None:
    assert await chat.page.evaluate(PRESS) == ["pressed", "clicked", "drawn", "drawn at once"]


PRESS = """async () => {
    const { undisturbed } = await import("/page/js/core/press.js");
    const told = [], button = document.querySelector("button");
    const event = (type) => button.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0 }));
    button.addEventListener("pointerdown", () => told.push("pressed"), { once: true });
    button.addEventListener("pointerup", () => told.push("clicked"), { once: true });
    event("pointerdown");
    undisturbed(() => told.push("drawn"));
    event("pointerup");
    await new Promise((resolve) => setTimeout(resolve));
    undisturbed(() => told.push("drawn at once"));
    return told;
}"""


async def others_see_the_change(ada: Chat, grace: Chat) -> None:
    await ada.command("/panel")
    await grace.says("Pressed 0 times")
    await grace.button("Press me").click()
    await ada.says("Pressed 1 times")


@pytest.mark.soak
async def test_timeout_is_shown_and_the_button_works_again(open_chat: Open, clock: SkippableClock) -> None:
    chat = await open_chat()
    await chat.command("/panel")
    await chat.button("Stay silent").click()
    await expect(chat.button("Stay silent")).to_have_attribute("aria-busy", "true")
    clock.skip()
    await expect(chat.last.get_by_role("alert")).to_have_text(
        "This interaction failed. The bot did not answer within 3 seconds."
    )
    await expect(chat.button("Stay silent")).not_to_have_attribute("aria-busy", "true")
    await chat.button("Press me").click()
    await chat.says("Pressed 1 times")
    await expect(chat.last.get_by_role("alert")).to_have_count(0)


async def disabled_buttons_and_links(chat: Chat) -> None:
    await chat.command("/panel")
    await expect(chat.button("Not now")).to_be_disabled()
    link = chat.last.get_by_role("link", name="Docs")
    await expect(link).to_have_attribute("href", "https://discordpy.readthedocs.io/")
    await expect(link).to_have_attribute("rel", "noopener noreferrer")


async def select_by_pointer(chat: Chat) -> None:
    await chat.command("/panel")
    await chat.select("A flower").click()
    await chat.page.get_by_role("option", name="Clover").click()
    await chat.says("You chose Clover.")
    panel = chat.messages.nth(-2)
    await expect(panel.get_by_role("combobox", name="A flower: Clover")).to_be_visible()


async def select_by_keys(chat: Chat) -> None:
    await chat.command("/panel")
    await chat.select("A flower").focus()
    await chat.press("Enter", "d", "Enter")
    await chat.says("You chose Daisy.")


async def select_several_values(chat: Chat) -> None:
    await chat.command("/panel")
    await chat.select("Two or three flowers").focus()
    await chat.press("ArrowDown")
    done = chat.page.get_by_role("button", name="Done")
    await chat.press("Space")
    await expect(done).to_be_disabled()
    await chat.press("ArrowDown", "Space")
    await expect(done).to_be_enabled()
    await chat.press("ArrowDown", "Space")
    await expect(chat.page.get_by_role("option", name="Daisy")).to_have_attribute("aria-disabled", "true")
    await chat.press("Space", "Enter")
    await chat.says("You chose Aster and Begonia.")


async def escape_closes_a_select_menu(chat: Chat) -> None:
    await chat.command("/panel")
    await chat.says("Pressed")
    before = await chat.messages.count()
    await chat.select("A flower").focus()
    await chat.press("Enter", "ArrowDown", "Escape")
    await expect(chat.page.get_by_role("option")).to_have_count(0)
    await expect(chat.select("A flower")).to_be_focused()
    assert await chat.messages.count() == before


async def open_menu_survives_changes(ada: Chat, grace: Chat) -> None:
    await ada.command("/panel")
    await grace.says("Pressed 0 times")
    panel = grace.messages.nth(await grace.messages.count() - 1)
    await grace.select("Two or three flowers").click()
    options = grace.page.get_by_role("option")
    await expect(options).to_have_count(4)
    await options.filter(has_text="Aster").click()
    await ada.command("/say something that moves the panel")
    await expect(grace.last).to_contain_text("something that moves the panel")
    trigger, popup = (
        panel.get_by_role("combobox", name="Two or three flowers"),
        grace.page.locator(".popup:popover-open"),
    )
    await expect(options).to_have_count(4)
    assert await gap(trigger, popup) < 10
    await ada.messages.nth(-2).get_by_role("button", name="Press me").click()
    await expect(panel).to_contain_text("Pressed 1 times")
    await expect(options.filter(has_text="Aster")).to_have_attribute("aria-selected", "true")
    await options.filter(has_text="Clover").click()
    await grace.page.get_by_role("button", name="Done").click()
    await grace.says("You chose Aster and Clover.")


async def gap(one: Locator, other: Locator) -> float:
    """Return the vertical distance between two elements, in pixels."""
    above, below = await one.bounding_box(), await other.bounding_box()
    assert above is not None
    assert below is not None
    if above["y"] > below["y"]:
        above, below = below, above
    return below["y"] - above["y"] - above["height"]


async def user_select_offers_the_members(chat: Chat) -> None:
    await chat.command("/panel")
    await chat.select("A friend").click()
    await expect(chat.page.get_by_role("option").locator(".label")).to_have_text(
        ["Grace", "Emmy", "Bot", "Ada"]
    )
    await chat.page.get_by_role("option", name="Emmy").click()
    await chat.says("Your friend: @Emmy")


async def classic_messages(chat: Chat) -> None:
    await chat.command("/classic")
    await expect(chat.last.locator(".embed-title")).to_have_text("An embed")
    await expect(chat.last.locator(".embed dt")).to_have_text(["One", "Two"])
    await expect(chat.last.get_by_role("link", name="notes.txt")).to_contain_text("10 bytes")
    await expect(chat.last.locator(".picture img")).to_have_attribute("alt", "A red disc on a white ground.")


async def test_deferred_response_is_shown_as_thinking(open_chat: Open, showcase: Showcase) -> None:
    chat = await open_chat()
    await chat.command("/slow")
    await chat.says("Bot is thinking…")
    await expect(chat.page.locator(".banner.typing")).to_have_text("Bot is typing…")
    dot = chat.last.locator(".dots i").first
    await expect(dot).to_have_css("animation-name", "none")  # windows of tests have reduced motion
    await chat.page.emulate_media(reduced_motion="no-preference")
    await expect(dot).to_have_css("animation-name", "blink")
    showcase.released.set()
    await chat.says("Done at last.")
    await expect(chat.last.locator(".thinking")).to_have_count(0)
    await expect(chat.page.locator(".banner.typing")).to_have_count(0)


@steps_of(
    press_keeps_the_focus,
    select_by_keys,
    select_several_values,
    classic_messages,
    rest=(
        changed_message_is_usable_before_the_call_ends,
        drawing_waits_for_the_end_of_a_press,
        disabled_buttons_and_links,
        select_by_pointer,
        escape_closes_a_select_menu,
        user_select_offers_the_members,
    ),
)
async def test_buttons_and_menus(open_chat: Open, steps: Sequence[Step]) -> None:
    """A member uses every kind of component."""
    await take(open_chat, *steps)
