"""The page in a browser, as a member uses it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from playwright.async_api import ConsoleMessage, Error, Locator, Page, Route, expect


class Held:
    """Holds answers back until `go` is set: `await page.route(..., held.back)`."""

    def __init__(self) -> None:
        self.answered, self.go = asyncio.Event(), asyncio.Event()

    async def back(self, route: Route) -> None:
        answer = await route.fetch()
        self.answered.set()
        await self.go.wait()
        await route.fulfill(response=answer)


class Chat:
    """One window. `faults` collects the errors of the page's scripts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("pageerror", self._fault)
        page.on("console", self._note)

    def leave(self) -> None:
        """Stop listening, before another test uses the window."""
        self.page.remove_listener("pageerror", self._fault)
        self.page.remove_listener("console", self._note)

    def _fault(self, error: Error) -> None:
        self.faults.append(str(error))

    def _note(self, message: ConsoleMessage) -> None:
        # The browser reports the status of a refused call as an error. The page shows it.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(message.text)

    @property
    def composer(self) -> Locator:
        return self.page.locator("#composer")

    @property
    def suggestions(self) -> Locator:
        """The suggestions that can be picked now, in order."""
        return self.page.locator(".suggestions:not(.waiting) [role=option]")

    @property
    def alert(self) -> Locator:
        """The sentence about a problem with the input."""
        return self.page.locator(".composer-alert")

    @property
    def messages(self) -> Locator:
        return self.page.locator("article.message")

    @property
    def last(self) -> Locator:
        return self.messages.last

    async def type(self, text: str) -> None:
        await self.page.keyboard.type(text)

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def paste(self, text: str) -> None:
        """Paste into the message box, when no dialog covers it."""
        await expect(self.page.locator("dialog")).to_have_count(0)
        await self.composer.fill(text)

    async def command(self, line: str) -> None:
        """Paste a whole command line and send it."""
        await self.paste(f"{line} ")
        await expect(self.page.locator(".command-bar")).to_be_visible()
        # Enter could pick a suggestion that has just arrived. The button always sends.
        await self.page.get_by_role("button", name="Send", exact=True).click()
        await expect(self.composer).to_have_value("")

    async def says(self, text: str) -> None:
        """Wait until the last message holds a text."""
        await expect(self.last).to_contain_text(text)

    async def suggests(self, labels: Sequence[str]) -> None:
        """Wait until exactly these suggestions can be picked."""
        await expect(self.suggestions.locator(".label")).to_have_text(list(labels))

    async def switch(self, name: str) -> None:
        """Act as another member."""
        await (
            self.page.get_by_role("group", name="Acting as")
            .get_by_role("button", name=f"Switch to {name}")
            .click()
        )
        await expect(self.composer).to_have_attribute("placeholder", f"Message #general as {name}")

    async def begin_again(self) -> None:
        """Close what is open, and go to the empty message box of the channel general."""
        await self.press("Escape", "Escape")
        general = self.page.get_by_role("button", name="Channel general")
        if await general.get_attribute("aria-current") is None:
            await general.click()
        await self.composer.fill("")
        await self.composer.focus()

    def option(self, name: str) -> Locator:
        """Return the field of an option of the command that is being composed."""
        return self.page.locator(".command-bar").get_by_role("combobox", name=name, exact=True)

    def button(self, name: str) -> Locator:
        """Return a button of the last message."""
        return self.last.get_by_role("button", name=name, exact=True)

    def select(self, name: str) -> Locator:
        """Return a select menu of the last message."""
        return self.last.get_by_role("combobox", name=name)


Step: TypeAlias = Callable[[Chat], Awaitable[None]]
"""A part of a test, which uses an open window."""
