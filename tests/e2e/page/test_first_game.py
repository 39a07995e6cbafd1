"""A member who has never heard of a game is challenged to it, on a phone, and makes a legal move.

Set PENCILBOX_SCREENS to a folder to take the screens of docs/first-game.md (`make screens`).
"""

import io
import os
import re
from pathlib import Path

from PIL import Image
from playwright.async_api import Locator, expect

from tests.e2e.club import Club
from tests.e2e.messages import found_in
from tests.e2e.page.test_taps import AT_REST
from tests.e2e.panels import boards_in, panel_at
from tests.e2e.play import by_command
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

SCREENS = Path("docs/pictures/screens")
MOST_WORDS, MOST_TAPS = 209, 5
"""The words that one reads in a minute, and the taps that one needs, from the challenge to the move."""
STEPS = ("challenged", "move", "touching", "branching", "end", "accepting", "board", "moved")
"""The screens in order."""


class Stranger:
    """A member on a phone, who reads each message once and taps."""

    def __init__(self, chat: Chat, screens: Path | None) -> None:
        self.chat = chat
        self.taps = self.words = 0
        self._screens, self._taken = screens, 0

    async def read(self) -> None:
        """Read the text of the last message, and keep a screen."""
        await self.count(self.chat.last.locator(".container .markdown"))
        await self.look()

    async def count(self, texts: Locator) -> None:
        """Read these texts."""
        for text in await texts.all_inner_texts():
            self.words += len(re.findall(r"\w[\w'’-]*", text))

    async def look(self) -> None:
        """Keep a screen of what is seen now."""
        await self.chat.page.wait_for_function(AT_REST)
        step = STEPS[self._taken]
        self._taken += 1
        if self._screens is not None:
            picture = Image.open(io.BytesIO(await self.chat.page.screenshot()))
            picture.save(self._screens / f"{self._taken}-{step}.webp", quality=70, method=6)

    async def tap(self, label: str) -> None:
        self.taps += 1
        await self.chat.button(label).click()


async def test_a_stranger_accepts_a_challenge_and_moves(club: Club, windows: Windows) -> None:
    screens = Path(folder) if (folder := os.environ.get("PENCILBOX_SCREENS")) else None
    async with windows.lend(width=400, height=820) as chat:
        if screens is not None:
            await chat.page.emulate_media(color_scheme="dark")
        await chat.page.goto(f"{club.local.url}/?as={club.grace.id}")
        await club.ada.command("challenge", member=club.grace.id, game="skull", order="first")
        await chat.says("challenges @Grace")
        await expect(chat.last.get_by_role("img").last).to_have_attribute("src", re.compile("skull"))
        grace = Stranger(chat, screens)
        await grace.read()
        await grace.tap("How it is played")
        await chat.says("1 of 4")
        await grace.read()
        before = grace.taps, grace.words
        for page in (2, 3, 4) if screens is not None else (2,):
            await grace.tap("Next")
            await chat.says(f"{page} of 4")
            await grace.look()
        grace.taps, grace.words = before  # The first page is enough for a first move.
        grace.taps += 1
        await chat.last.get_by_role("button", name="Dismiss message").click()
        await expect(chat.button("Accept")).to_be_in_viewport()
        await grace.look()
        await grace.tap("Accept")
        first = await found_in(club.ada, lambda seen: next(iter(boards_in(seen)), None))
        await by_command(club.ada, first, "c3")
        await chat.says("@Grace, your turn in Amazon Skull #")
        board = chat.messages.filter(has=chat.page.locator("img[src*='-1.png']")).last
        await expect(board).to_contain_text(re.compile(r"@Grace\s*, your turn\."))
        await grace.count(board.locator(".container .markdown"))
        await grace.count(chat.last.locator(".markdown"))
        await grace.look()
        grace.taps += 1
        move = board.get_by_role("button", name="→ d3", exact=True)
        await expect(move).to_be_in_viewport()
        await move.click()
        moved = await panel_at(club.ada, first.match, 2)
        assert moved.turn == club.ada.id
        await chat.says("@Ada, your turn in Amazon Skull #")
        board = chat.messages.filter(has=chat.page.locator("img[src*='-2.png']")).last
        await expect(board).to_contain_text("played d3, lengthening the path at c3.")
        await grace.look()
        assert chat.faults == []
        assert grace.words <= MOST_WORDS, grace.words
        assert grace.taps <= MOST_TAPS, grace.taps


def test_the_docs_show_every_screen_in_order() -> None:
    shown = re.findall(r"pictures/screens/([\w-]+\.webp)", Path("docs/first-game.md").read_text("utf-8"))
    assert shown == [f"{number}-{step}.webp" for number, step in enumerate(STEPS, 1)]
    kept = {path.name: path.stat().st_size for path in SCREENS.iterdir()}
    assert sorted(kept) == shown
    assert sum(kept.values()) < 300_000
