"""Preferences and settings in the page, in real Chromium, on a desk and on a phone.

Set PENCILBOX_SCREENSHOTS to a folder to keep pictures.
"""

import os
from pathlib import Path

from playwright.async_api import expect

from tests.e2e.club import Club
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows


async def test_preferences_and_settings_are_changed_on_a_phone(club: Club, windows: Windows) -> None:
    async with windows.lend(width=400, height=1400) as chat:
        await chat.page.goto(f"{club.local.url}/?as={club.ada.id}")
        await choose(chat, "phone")


async def choose(chat: Chat, where: str) -> None:
    folder = os.environ.get("PENCILBOX_SCREENSHOTS")

    async def look(what: str) -> None:
        if folder:
            await chat.page.screenshot(path=Path(folder) / f"{what}-{where}.png")

    await chat.command("/preferences")
    await chat.says("Your preferences")
    await expect(chat.last.get_by_role("img")).to_have_count(2)
    await look("preferences")
    await chat.last.get_by_role("combobox").nth(3).click()
    await look("preferences-open")
    await chat.page.get_by_role("option", name="No challenges until I change this").click()
    await chat.says("You cannot be challenged until you change this.")

    await chat.command("/settings")
    await chat.says("Settings of this server")
    await look("settings")
    await chat.last.get_by_role("combobox").nth(1).click()
    await look("settings-channels")
    await chat.page.get_by_role("option", name="#general").click()
    await chat.page.get_by_role("button", name="Done").click()
    await look("settings-chosen")
    await chat.last.get_by_role("combobox").nth(2).click()
    await look("settings-games")
    await chat.page.get_by_role("option", name="Alaric").click()
    await chat.page.get_by_role("button", name="Done").click()
    await expect(chat.last.get_by_role("combobox").nth(2)).not_to_contain_text("Alaric")
    await look("settings-done")
    assert chat.faults == []
