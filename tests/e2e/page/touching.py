"""A member in the frame of the Activity, who touches boards.

Set PENCILBOX_ACTIVITY_SCREENS to a folder to take the screens of docs/activity.md (`make screens`).
"""

import asyncio
import io
import os
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import FrameLocator, Page, WebSocket, expect

from tests.activity.pages import read
from tests.sandbox.page.chat import Chat
from tests.waiting import PATIENCE

STEPS = 6
"""Points through which the pointer goes between two points of a line."""


class Touching:
    """The frame in a window. `boards` holds the boards that the bot has sent there, oldest first."""

    def __init__(self, chat: Chat, *, touch: bool) -> None:
        self.page: Page = chat.page
        self.frame: FrameLocator = chat.page.frame_locator("dialog.activity iframe")
        self.boards: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self.taps = 0
        """Taps and gestures so far."""
        self._touch = touch
        self._arrived = asyncio.Event()
        self.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        if "/api/socket" in socket.url:
            socket.on("framereceived", self._receive)

    def _receive(self, payload: str | bytes) -> None:
        message = read(payload)
        if message["type"] == "board":
            self.boards.append(message)
        elif message["type"] == "refused":
            self.refused.append(message["sentence"])
        self._arrived.set()

    async def _while(self, condition: Callable[[], object]) -> None:
        """Wait for messages as long as a condition holds."""
        async with asyncio.timeout(PATIENCE):
            while condition():
                self._arrived.clear()
                await self._arrived.wait()

    async def open(self, address: str, match: int) -> None:
        """Go to a channel, press the button below the board of a match, and wait until the frame shows the board."""
        await self.page.goto(address)
        board = self.page.locator("article.message").filter(has_text=re.compile(rf"#{match}\b"))
        await board.get_by_role("button", name="Tap the board").last.click()
        await expect(self.frame.locator("#board svg")).to_be_visible()

    async def board(self, ply: int) -> dict[str, Any]:
        """Wait for a board that shows so many plies or more, and return it."""
        await self._while(lambda: not self.boards or self.boards[-1]["ply"] < ply)
        return self.boards[-1]

    async def next(self, before: dict[str, Any]) -> None:
        """Wait for a board after this one."""
        await self._while(lambda: self.boards[-1] is before)

    async def ready(self) -> dict[str, Any]:
        """Wait until the member is asked for a move or the game is over, and return the board."""
        await self._while(lambda: not self.boards or not (self.boards[-1]["mine"] or self.boards[-1]["over"]))
        return self.boards[-1]

    async def played(self, before: dict[str, Any]) -> None:
        """Wait until the bot has taken the move that was made on this board, and has not refused it.

        Where both lay cards at the same time, a move of the opponent asks the member the same again.
        """

        def asked_again() -> bool:
            newest = self.boards[-1]
            same = newest["ply"] == before["ply"] or newest["entry"] == before["entry"]
            again = newest is before or (newest["mine"] and same)
            assert not (again and newest["refused"])
            return again

        await self._while(asked_again)

    async def play(self, chance: random.Random) -> None:
        """Enter a move that is allowed, as the frame asks for it."""
        board = await self.ready()
        entry = board["entry"]
        match entry["kind"]:
            case "places":
                await self.touch(chance.choice(entry["places"])["points"])
            case "row":
                await self._lay(chance)
            case "words":
                done = self.frame.get_by_role("button", name="Done")
                await expect(done).to_be_visible()
                if not entry["given"]:
                    await self._name(entry["row"])
                self.taps += 1
                await done.click()
                # The opponent searches at the same time, so the next board may still ask the member.
                await self._while(lambda: self.boards[-1]["mine"])

    async def touch(self, points: list[list[float]]) -> None:
        """Tap a place, or drag along a line."""
        self.taps += 1
        await expect(self.frame.locator("#board")).to_have_attribute("data-ply", str(self.boards[-1]["ply"]))
        await self._pull([await self._on_page(point) for point in points])

    async def look(self, name: str) -> None:
        """Keep a screen of what is seen now, if a folder is set."""
        if folder := os.environ.get("PENCILBOX_ACTIVITY_SCREENS"):
            picture = Image.open(io.BytesIO(await self.page.screenshot()))
            picture.save(Path(folder) / f"{name}.webp", quality=70, method=6)

    async def hold(self, points: list[list[float]]) -> None:
        """Drag along a line without releasing it."""
        await self._drag([await self._on_page(point) for point in points])

    async def _pull(self, at: Sequence[tuple[float, float]]) -> None:
        """Tap a point of the window, or drag from one to the next, by finger or mouse."""
        if self._touch:
            await self._finger(at)
            return
        await self._drag(at)
        await self.page.mouse.up()

    async def _finger(self, at: Sequence[tuple[float, float]]) -> None:
        """Tap a point of the window, or drag a finger through several."""
        devtools = await self.page.context.new_cdp_session(self.page)
        for number, (x, y) in enumerate(at):
            kind, steps = ("touchMove", STEPS) if number else ("touchStart", 1)
            fromx, fromy = at[max(0, number - 1)]
            for step in range(1, steps + 1):
                point = {"x": fromx + (x - fromx) * step / steps, "y": fromy + (y - fromy) * step / steps}
                await devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        await devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await devtools.detach()

    async def _drag(self, at: Sequence[tuple[float, float]]) -> None:
        await self.page.mouse.move(*at[0])
        await self.page.mouse.down()
        for point in at[1:]:
            await self.page.mouse.move(*point, steps=STEPS)

    async def _lay(self, chance: random.Random) -> None:
        """Drag a card to the place of a card of the other colour, and lay the row."""
        before = self.boards[-1]["entry"]
        red, black = chance.randrange(before["reds"]), before["reds"] + chance.randrange(before["blacks"])
        lay_them = self.frame.get_by_role("button", name="Lay these cards")
        await expect(lay_them).to_be_visible()
        await self._drag_cards(red, black)
        for number, colour in ((red, "black"), (black, "red")):
            label = f"card {number + 1}: {colour}"
            await expect(self.frame.locator(".card").nth(number)).to_have_attribute("aria-label", label)
        self.taps += 1
        await lay_them.click()

    async def _name(self, row: str) -> None:
        """Drag from a red card to the next one, which is a palindrome."""
        first = row.index("R")
        await self._drag_cards(first, row.index("R", first + 1))
        await self._while(lambda: not self.boards[-1]["entry"]["given"])

    async def _drag_cards(self, *numbers: int) -> None:
        """Drag from one card to another."""
        self.taps += 1
        boxes = [await self.frame.locator(".card").nth(it).bounding_box() for it in numbers]
        await self._pull([(it["x"] + it["width"] / 2, it["y"] + it["height"] / 2) for it in boxes if it])

    async def _on_page(self, point: list[float]) -> tuple[float, float]:
        """Return where a point of the picture is in the window."""
        frame = await self.page.locator("dialog.activity iframe").bounding_box()
        assert frame is not None
        x, y = await self.frame.locator("#board").evaluate(
            """(board, [x, y]) => {
                const at = new DOMPoint(x, y).matrixTransform(board.querySelector("svg").getScreenCTM());
                return [at.x, at.y];
            }""",
            point,
        )
        return frame["x"] + x, frame["y"] + y
