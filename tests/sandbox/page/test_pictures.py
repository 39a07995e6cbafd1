"""Pictures: full size, alt text and layout."""

from collections.abc import Sequence

import pytest
from playwright.async_api import expect

from tests.sandbox.page.chat import Chat, Step
from tests.sandbox.page.conftest import Open, steps_of, take
from tests.sandbox.page.showcase import ALT

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def picture_opens_in_full_size(chat: Chat) -> None:
    await chat.command("/panel")
    opener = chat.last.get_by_role("button", name=f"Open picture: {ALT}").last
    await opener.focus()
    await chat.press("Enter")
    viewer = chat.page.get_by_role("dialog", name="Picture")
    await expect(viewer.get_by_role("img", name=ALT)).to_be_visible()
    await expect(viewer).to_contain_text(ALT)
    assert await viewer.locator("img").evaluate("img => img.naturalWidth") == 360
    await chat.press("Escape")
    await expect(viewer).to_have_count(0)
    await expect(opener).to_be_focused()


async def alt_text_survives_an_edit(chat: Chat) -> None:
    await chat.command("/panel")
    badge = chat.last.get_by_role("button", name="Show the picture's description").last
    text = chat.last.locator(".alt-text").last
    await expect(text).to_be_hidden()
    await badge.focus()
    await chat.press("Enter")
    await expect(text).to_be_visible()
    await expect(text).to_have_text(ALT)
    await chat.button("Press me").click()
    await chat.says("Pressed 1 times")
    await expect(chat.last.locator(".alt-text").last).to_be_visible()


async def space_for_a_picture_is_reserved(chat: Chat) -> None:
    # The picture never arrives.
    await chat.page.route("**/attachments/**", lambda route: route.abort())
    await chat.command("/classic")
    picture = chat.last.locator(".picture img")
    await expect(picture).to_have_count(1)  # The message before has two.
    box = await picture.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (360, 360)


async def picture_keeps_its_least_size(chat: Chat) -> None:
    """A picture gets smaller for what is below it, but not larger again, not even in the edited message.

    It gets larger with the window, or if there is much more room than before.
    """

    async def height() -> float:
        await chat.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        box = await chat.last.locator(".gallery img").bounding_box()
        assert box is not None
        return box["height"]

    await chat.command("/panel")
    await chat.last.locator(".gallery img").evaluate("img => img.decode()")
    whole = await height()
    await chat.last.locator(".row").first.evaluate("row => { row.style.paddingBottom = '60px'; }")
    small = await height()
    assert 200 < small < whole
    await chat.last.locator(".row").first.evaluate("row => { row.style.paddingBottom = ''; }")
    assert await height() == small
    await chat.button("Press me").click()
    await chat.says("Pressed 1 times")
    assert await height() == small
    rows = chat.last.locator(".row")
    await rows.evaluate_all("rows => rows.forEach(row => row.remove())")
    assert await height() > small
    await chat.command("/panel")
    await chat.last.locator(".gallery img").evaluate("img => img.decode()")
    small = await height()
    size = chat.page.viewport_size
    assert size is not None
    await chat.page.set_viewport_size({**size, "height": size["height"] + 20})
    assert await height() > small
    await chat.page.set_viewport_size(size)


@steps_of(
    picture_opens_in_full_size,
    space_for_a_picture_is_reserved,
    rest=(
        alt_text_survives_an_edit,
        picture_keeps_its_least_size,
    ),
)
async def test_pictures_are_opened_described_and_awaited(open_chat: Open, steps: Sequence[Step]) -> None:
    """A member looks at pictures."""
    await take(open_chat, *steps)
