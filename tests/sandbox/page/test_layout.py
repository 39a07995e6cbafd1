"""Layout: narrow and wide windows, light and dark themes, motion."""

import pytest
from playwright.async_api import expect

from tests.sandbox.page.chat import Chat
from tests.sandbox.page.conftest import Open

pytestmark = pytest.mark.asyncio(loop_scope="session")

OVERFLOW = """() => [...document.querySelectorAll("html, body, .top, .scroller, .messages, .message, .composer")]
    .filter(element => element.scrollWidth > element.clientWidth + 1)
    .map(element => element.className || element.tagName)"""
BACKGROUND = "() => getComputedStyle(document.body).backgroundColor"


async def wide_content(chat: Chat) -> None:
    await chat.command("/panel")
    await chat.says("Pressed 0 times")
    await chat.command("/classic")
    await chat.command(f"/say {'w' * 120} `{'c' * 90}`")
    await chat.says("wwww")


async def test_nothing_overflows_and_text_has_contrast(open_chat: Open) -> None:
    """Text has WCAG's contrast of 4.5, computed from the colours that the browser paints."""
    chat = await open_chat(width=400)
    await wide_content(chat)
    await chat.command("/secret")
    await chat.command("/greet ada")
    await chat.says("Hello, @Ada!")
    for width in (320, 400, 700, 1280):
        await chat.page.set_viewport_size({"width": width, "height": 800})
        assert await chat.page.evaluate(OVERFLOW) == [], width
    assert await chat.page.evaluate(CONTRAST) == []
    await chat.page.emulate_media(color_scheme="dark")
    assert await chat.page.evaluate(CONTRAST) == []


async def test_phone_has_drawers(open_chat: Open) -> None:
    chat = await open_chat(width=400)
    await chat.switch("Grace")
    channels, members = chat.page.locator("#channels"), chat.page.locator("#members")
    await expect(channels).to_be_hidden()
    await expect(members).to_be_hidden()
    opener = chat.page.get_by_role("button", name="Channels")
    await opener.click()
    await expect(channels).to_be_visible()
    await chat.press("Escape")
    await expect(channels).to_be_hidden()
    await expect(opener).to_be_focused()
    await opener.click()
    await channels.get_by_role("button", name="Channel games").click()
    await expect(channels).to_be_hidden()
    await expect(chat.page.get_by_role("heading", name="games").first).to_be_visible()
    await chat.page.get_by_role("button", name="Members").click()
    await members.get_by_role("button", name="Switch to Emmy").click()
    await expect(chat.composer).to_have_attribute("placeholder", "Message #games as Emmy")


@pytest.mark.soak
async def test_colours_follow_the_system_until_a_theme_is_chosen(open_chat: Open) -> None:
    chat = await open_chat()
    light, dark = "rgb(253, 252, 249)", "rgb(30, 32, 37)"
    assert await chat.page.evaluate(BACKGROUND) == light
    await chat.page.emulate_media(color_scheme="dark")
    assert await chat.page.evaluate(BACKGROUND) == dark
    await chat.page.get_by_role("button", name="Colours: as the system. Change to light").click()
    assert await chat.page.evaluate(BACKGROUND) == light
    await chat.page.get_by_role("button", name="Colours: light. Change to dark").click()
    assert await chat.page.evaluate(BACKGROUND) == dark
    await chat.page.reload()
    await expect(chat.page.get_by_role("button", name="Colours: dark.")).to_be_visible()
    assert await chat.page.evaluate(BACKGROUND) == dark


CONTRAST = """() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const paint = (colours) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(value => value / 255);
    };
    const light = (rgb) => rgb.map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const poor = [];
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!own || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (element.closest(":disabled, [aria-disabled=true], .spoiler, svg, .skip")) continue;
        const grounds = [];
        for (let at = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
        const ground = light(paint(grounds)), ink = light(paint([...grounds, getComputedStyle(element).color]));
        const contrast = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
        if (contrast < 4.5) poor.push(`${element.className || element.tagName}: ${contrast.toFixed(2)}`);
    }
    return [...new Set(poor)];
}"""
