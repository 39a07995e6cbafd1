"""Games in the page, in real Chromium: a window for each member, all but one on a phone.

Set PENCILBOX_SCREENSHOTS to a folder to keep a picture of every step.
"""

import os
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from rules.core.game import Game
from tests.e2e.bot_process import playing
from tests.e2e.club import Club
from tests.e2e.play import OPEN
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

WINDOWS = {"Ada": (1280, 800), "Grace": (400, 800), "Emmy": (400, 700)}
TURN = re.compile(r"@(Ada|Grace|Emmy)\b[^\n@]*, your turn")
MOVE = re.compile(r"^[a-z]?[0-9]+(-[a-z]?[0-9]+)*(, .+)?$")
PLIES = {"alaric": 4, "polygons": None, "maze": 4}
"""The games that are played here, and so many plies of them, or None for the whole game. Alaric has buttons for moves,
polygons for parts of a board, and maze has three members. The game with `make play` has arrows, and `test_taps` has
rows and words."""
SHOTS = (0, 1, 2, 5, 9, 14, 20)
"""Plies of which a picture is kept; the end is kept in any case."""


class Evening:
    """Some members, each in a window of their own."""

    def __init__(self, chats: dict[str, Chat], pictures: Path | None) -> None:
        self.chats = chats
        self._pictures = pictures
        self._shots = 0
        self.offered: set[str] = set()
        self.used: Counter[str] = Counter()

    async def look(self, what: str) -> None:
        """Keep a picture of every window."""
        self._shots += 1
        if self._pictures is not None:
            for name, chat in self.chats.items():
                await chat.page.screenshot(path=self._pictures / f"{self._shots:02}-{what}-{name}.png")

    async def challenge(self, title: str, size: str, plies: int = 0) -> None:
        """Ada picks everything from the lists with the keyboard; the others tap Accept.

        The first board shows so many `plies`: those of chance.
        """
        ada, *others = self.chats.values()
        _, first, *more = self.chats
        await ada.paste("/chal")
        await expect(ada.suggestions.first).to_contain_text("challenge")
        await ada.press("Enter")
        if not more:
            await self._option(ada, "member", first)
        await self._option(ada, "game", title)
        await self.look("challenge")
        await self._option(ada, "size", size)
        await ada.press("Enter")
        if more:
            await ada.select("Host: invite only these members").click()
            for name in (first, *more):
                await ada.page.get_by_role("option", name=name).click()
            await ada.page.get_by_role("button", name="Done").click()
        for chat in others:
            await chat.says("challenges @Grace")
        await self.look("challenged")
        for chat in others:
            await chat.button("Accept").click()
        await self.board(plies)

    async def challenge_from_menu(self, title: str, size: str) -> None:
        """The same from a member's menu, with a form."""
        ada, grace = self.chats.values()
        await ada.page.get_by_role("button", name="More about Grace").click()
        await ada.page.get_by_role("menuitem", name="Challenge to a game").click()
        await ada.page.get_by_role("combobox", name="Game").click()
        await ada.page.get_by_role("option", name=title).click()
        await ada.page.get_by_role("radio", name=size).check()
        await self.look("challenge")
        await ada.page.get_by_role("button", name="Submit").click()
        await grace.says("challenges @Grace")
        await self.look("challenged")
        await grace.button("Accept").click()
        await self.board(0)

    async def _option(self, chat: Chat, option: str, value: str) -> None:
        await chat.page.get_by_role("button", name=f"Add {option}:").click()
        # After a whole value, Enter would send the command at once, because no option is required.
        await chat.type(value[:-1])
        await expect(chat.suggestions).to_have_count(1)
        await chat.press("Enter")

    def panel(self, chat: Chat, plies: int) -> Locator:
        """The message that shows the board after so many plies."""
        picture = chat.page.locator(f"img[src*='-{plies}.png']")
        return chat.messages.filter(has=picture).last

    async def board(self, plies: int) -> None:
        """Wait until everybody sees the board after so many plies."""
        for chat in self.chats.values():
            await expect(self.panel(chat, plies)).to_contain_text(re.compile("your turn| beat | drew |share"))

    async def play(self, most: int | None = None) -> None:
        """Play to the end, or so many plies."""
        plies = 0
        while plies != most and (
            found := TURN.search(await self.panel(self.chats["Ada"], plies).inner_text())
        ):
            if plies in SHOTS:
                await self.look("playing")
            await self._move(self.chats[found[1]], plies)
            plies += 1
            await self.board(plies)
        await self.look("over")

    async def _move(self, chat: Chat, plies: int) -> None:
        """One move, by the way that was used least of those which the board offers."""
        panel = self.panel(chat, plies)
        buttons = panel.locator("button[data-key^='play:']:not(:disabled)")
        parts = panel.locator("button[data-key^='among:']:not(:disabled)")
        places = {"parts": parts, "button": buttons}
        ways = [way for way, place in places.items() if await place.count()] + ["typed", "autocomplete"]
        self.offered.update(ways)
        way = min(ways, key=lambda way: self.used[way])
        self.used[way] += 1
        first = self.used[way] == 1
        match way:
            case "button":
                await buttons.nth(plies % await buttons.count()).click()
            case "parts":
                await parts.nth(plies % await parts.count()).click()
                await self._open(chat, plies, "part" if first else "")
            case "typed":
                text = await self._suggested(chat)
                await chat.press("Escape", "Escape")
                await panel.get_by_role("button", name="Type a move", exact=True).click()
                await chat.page.get_by_role("textbox", name="Your move").fill(f" {text.upper()}.")
                if first:
                    await self.look("form")
                await chat.page.get_by_role("button", name="Submit").click()
            case _:
                text = await self._suggested(chat)
                await chat.type(text)
                await expect(chat.suggestions.locator(".label").first).to_contain_text(text)
                if first:
                    await self.look("autocomplete")
                # Enter could pick what comes just now once more; the button sends what is there.
                await chat.page.get_by_role("button", name="Send", exact=True).click()

    async def _open(self, chat: Chat, number: int, look: str) -> None:
        """Press on in the private message of a part until a move is played; then the message is gone."""
        private = chat.messages.filter(has_text="Only you can see this").last
        moves = private.locator("button[data-key^='play:']:not(:disabled)")
        deeper = private.locator("button[data-key^='among:']:not(:disabled)").filter(has_not_text="Back")
        await expect(moves.or_(deeper).first).to_be_visible()
        if look:
            await self.look(look)
        if await deeper.count():
            await deeper.nth(number % await deeper.count()).click()
            await expect(moves.first).to_be_visible()
        await moves.nth(number % await moves.count()).click()
        await expect(private).to_have_count(0)

    async def _suggested(self, chat: Chat) -> str:
        """The first move that `/move` suggests, with the command still open."""
        await chat.paste("/move ")
        first = chat.suggestions.locator(".label").first
        await expect(first).to_have_text(MOVE)
        return (await first.inner_text()).split(",")[0]


@asynccontextmanager
async def evening(windows: Windows, addresses: Mapping[str, str]) -> AsyncIterator[Evening]:
    """A window for each member, by name, at the address of their page."""
    pictures = Path(folder) if (folder := os.environ.get("PENCILBOX_SCREENSHOTS")) else None
    async with AsyncExitStack() as stack:
        chats: dict[str, Chat] = {}
        for name, address in addresses.items():
            width, height = WINDOWS[name]
            chat = await stack.enter_async_context(windows.lend(width=width, height=height))
            await chat.page.goto(address)
            if "?" not in address and chats:
                await chat.switch(name)
            await expect(chat.composer).to_have_attribute("placeholder", f"Message #general as {name}")
            chats[name] = chat
        yield Evening(chats, pictures)
        assert [fault for chat in chats.values() for fault in chat.faults] == []


def pages(club: Club, members: int = 2) -> dict[str, str]:
    """The addresses of the pages of so many members."""
    players = (club.ada, club.grace, club.emmy)[:members]
    return {player.name: f"{club.local.url}/?as={player.id}" for player in players}


def parties() -> Iterator[Any]:
    """Yield each of these games with as many members as it can have; `test_taps` makes moves in the others."""
    for game in OPEN[1:]:
        if game.key in PLIES:
            members = min(3, game.seats[1])
            # The third window costs as much as the rest, and three members play over the wire as well. The buttons of
            # Alaric are those of the game with `make play`, and its challenge is that of polygons.
            marks = [] if game.key == "polygons" else [pytest.mark.soak]
            yield pytest.param(game, members, id=f"{game.key}-{members}", marks=marks)


@pytest.mark.parametrize(("game", "members"), list(parties()))
async def test_members_play(club: Club, windows: Windows, game: Game[Any, Any], members: int) -> None:
    async with evening(windows, pages(club, members)) as table:
        if members == 2 and OPEN.index(game) % 2:
            await table.challenge_from_menu(game.sheet.title, "quick")
        else:
            await table.challenge(game.sheet.title, "quick")
        await play(table, game, PLIES[game.key])


async def test_members_play_where_make_play_has_started_the_bot(tmp_path: Path, windows: Windows) -> None:
    """With the local Discord in the bot's process, and members changed in the page."""
    async with (
        playing(tmp_path) as address,
        evening(windows, dict.fromkeys(("Ada", "Grace"), address)) as table,
    ):
        await table.chats["Ada"].says("Pencilbox is here")
        await table.challenge(OPEN[0].sheet.title, "quick")
        await play(table, OPEN[0], 4)


async def play(table: Evening, game: Game[Any, Any], plies: int | None) -> None:
    """Play so many plies or to the end, by every way that the boards offer; then look at the page of Ada."""
    await table.play(plies)
    assert set(table.used) == table.offered >= {"autocomplete", "typed"}
    assert table.offered & {"button", "parts"}
    ada = table.chats["Ada"]
    final = ada.messages.filter(has=ada.page.locator("figure")).last
    picture = final.locator("img:not(.emoji)").first
    await expect(picture).to_have_js_property("naturalWidth", 1200 if plies is None else 900)
    if plies is not None:
        await expect(picture).to_have_attribute("alt", re.compile("."))
        return
    await expect(ada.last).to_contain_text(re.compile(" beat | drew |share"))
    await expect(picture).to_have_attribute("alt", re.compile("has won|draw|share the win"))
    await ada.command(f"/leaderboard game:{game.sheet.title}")
    await ada.says(f"Leaderboard: {game.sheet.title}")
    await expect(ada.last).to_contain_text(re.compile("1–0–0|0–1–0"))
    await table.look("leaderboard")
