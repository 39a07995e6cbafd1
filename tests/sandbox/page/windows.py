"""Browser windows for tests. They are reused, because a new window costs more than most tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.sandbox.page.browser import PATIENCE, browser
from tests.sandbox.page.chat import Chat


class Windows:
    """The windows of one browser. Each has its own storage, which is empty when a test gets the window."""

    def __init__(self, started: Browser) -> None:
        self._browser = started
        self._free: list[Page] = []

    @asynccontextmanager
    async def lend(self, *, width: int = 1280, height: int = 800, **more: Any) -> AsyncIterator[Chat]:
        """Lend a blank window of this size in pixels, with the light theme and reduced motion.

        Further arguments are passed to a new browser context for this use only.
        """
        page = self._free.pop() if self._free and not more else await self._new(**more)
        chat = Chat(page)
        try:
            await page.set_viewport_size({"width": width, "height": height})
            await page.emulate_media(color_scheme="light", reduced_motion="reduce")
            yield chat
            chat.leave()
            if not more:
                await _empty(page)
                self._free.append(page)
        finally:
            if page not in self._free:
                await page.context.close()

    async def _new(self, **more: Any) -> Page:
        context = await self._browser.new_context(**more)
        context.set_default_timeout(PATIENCE)
        return await context.new_page()


async def _empty(page: Page) -> None:
    await page.unroute_all(behavior="ignoreErrors")
    await page.evaluate("localStorage.clear()")
    await page.goto("about:blank")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def windows() -> AsyncIterator[Windows]:
    async with browser() as started:
        yield Windows(started)
