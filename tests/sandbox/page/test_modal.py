"""Modals that the bot opens."""

from collections.abc import Sequence

import pytest
from playwright.async_api import expect

from tests.sandbox.page.chat import Chat, Step
from tests.sandbox.page.conftest import Open, steps_of, take

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def form(chat: Chat) -> None:
    await chat.command("/panel")
    await chat.button("Fill in").focus()
    await chat.press("Enter")
    await expect(chat.page.get_by_role("dialog", name="A few questions")).to_be_visible()


async def form_is_filled_in_by_keys(chat: Chat) -> None:
    await form(chat)
    name = chat.page.get_by_label("Name")
    await expect(name).to_be_focused()
    await expect(chat.page.locator(".field-description").first).to_have_text("As your friends call you.")
    await chat.type("Ada")
    await chat.press("Tab")
    await chat.type("Two lines,")
    await chat.press("Enter")
    await chat.type("no less")
    await chat.press("Tab", "Enter", "ArrowDown", "Enter")
    await expect(chat.page.get_by_role("combobox", name="Flower: Begonia")).to_be_focused()
    await chat.press("Tab", "ArrowDown")
    await expect(chat.page.get_by_role("radio", name="Large")).to_be_checked()
    await chat.press("Tab", "Space", "Tab", "Tab", "Space", "Tab", "Tab")
    await expect(chat.page.get_by_role("button", name="Submit")).to_be_focused()
    await chat.press("Enter")
    await chat.says("no less): Begonia; Large; Monday, Friday")
    await expect(chat.page.get_by_role("dialog")).to_have_count(0)


async def missing_field_gets_the_focus(chat: Chat) -> None:
    await form(chat)
    submit, alert = chat.page.get_by_role("button", name="Submit"), chat.page.locator("dialog [role=alert]")
    await submit.click()
    await expect(alert).to_have_text("Name is still missing.")
    await expect(chat.page.get_by_label("Name")).to_be_focused()
    await chat.type("A")
    await chat.press("Enter")
    await expect(alert).to_have_text("Name needs at least 2 characters.")
    await chat.type("da")
    await chat.press("Enter")
    await expect(alert).to_have_text("Flower is still missing.")
    await expect(chat.page.locator("dialog [role=combobox]")).to_be_focused()
    await chat.press("Enter", "Enter")
    await submit.click()
    await expect(alert).to_have_text("Size is still missing.")
    await chat.page.get_by_label("Small").check()
    await submit.click()
    await expect(alert).to_have_text("Days is still missing.")
    for day in ("Monday", "Tuesday", "Friday"):
        await chat.page.get_by_role("checkbox", name=day).check()
    await submit.click()
    await expect(alert).to_have_text("Days: choose at most 2.")
    await chat.page.get_by_role("checkbox", name="Friday").uncheck()
    await submit.click()
    await chat.says("Ada (): Aster; Small; Monday, Tuesday")


async def text_length_is_limited(chat: Chat) -> None:
    await form(chat)
    await chat.type("x" * 25)
    await expect(chat.page.get_by_label("Name")).to_have_value("x" * 20)
    await expect(chat.page.locator(".counter").first).to_have_text("20 / 20")


async def escape_closes_the_form(chat: Chat) -> None:
    await form(chat)
    await chat.press("Escape")
    await expect(chat.page.get_by_role("dialog")).to_have_count(0)
    await expect(chat.button("Fill in")).to_be_focused()


async def focus_stays_inside_the_form(chat: Chat) -> None:
    await form(chat)
    # Between the last control and the first, the focus is in the browser itself, not in the page.
    inside = "document.activeElement.closest('dialog') !== null || document.activeElement === document.body"
    for _ in range(12):
        await chat.press("Tab")
        assert await chat.page.evaluate(inside)


async def command_opens_a_form(chat: Chat) -> None:
    await chat.command("/survey")
    dialog = chat.page.get_by_role("dialog", name="A survey")
    await expect(dialog.locator(".markdown strong")).to_have_text("quite")
    await expect(dialog.get_by_label("Note")).to_have_value("none")
    await dialog.get_by_role("combobox", name="Friend").click()
    await chat.page.get_by_role("option", name="Emmy").click()
    await dialog.get_by_label("Send me news").check()
    await dialog.get_by_role("button", name="Submit").click()
    await chat.says("Survey: @Emmy; True; none")


@steps_of(
    form_is_filled_in_by_keys,
    missing_field_gets_the_focus,
    command_opens_a_form,
    rest=(
        text_length_is_limited,
        escape_closes_the_form,
        focus_stays_inside_the_form,
    ),
)
async def test_forms(open_chat: Open, steps: Sequence[Step]) -> None:
    """Forms are filled in, refused and closed."""
    await take(open_chat, *steps)
