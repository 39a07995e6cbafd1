"""From a tap in the frame of the Activity to the new board on the opponent's screen: `python -m tests.bench.latency`.

Two members play in the frame, each in a window of Chromium of their own, on the bot that `make play` runs. The
pages take the time: from the release of the pointer in one window until the other one shows the new board, in the
opponent's frame and in the channel behind it.
"""

import argparse
import asyncio
import random
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from playwright.async_api import Frame, expect

from bot.sandbox import Sandbox
from tests.activity.pages import Pages
from tests.contract.player import players
from tests.e2e.bot_process import BotProcess
from tests.e2e.page.touching import Touching
from tests.e2e.play import challenge
from tests.sandbox.page.browser import browser
from tests.sandbox.page.chat import Chat
from tests.sandbox.page.windows import Windows

IN_FRAME = """() => {
    const board = document.querySelector("#board");
    window.seen = {};
    const note = () => requestAnimationFrame(() => { window.seen[board.dataset.ply] ??= Date.now(); });
    new MutationObserver(note).observe(board, {attributes: true, attributeFilter: ["data-ply"]});
    addEventListener("pointerup", () => { window.tapped = Date.now(); }, true);
}"""
"""Notes when each ply is shown, and when the pointer was released last, in milliseconds."""
IN_CHANNEL = """() => {
    window.loaded = {};
    const note = () => {
        for (const {src} of document.querySelectorAll(".gallery img")) {
            const ply = src.match(/-(\\d+)\\.png/)?.[1];
            if (ply) requestAnimationFrame(() => { window.loaded[ply] ??= Date.now(); });
        }
    };
    new MutationObserver(note).observe(document.body, {childList: true, subtree: true});
}"""
"""Notes when the picture of each ply is shown; the page shows a message once its picture is loaded."""


def frame_of(chat: Chat) -> Frame:
    """Return the page inside the frame of a window."""
    return chat.page.frames[-1]


async def played(
    windows: Windows, address: str, match: int, members: tuple[int, int], moves: int
) -> list[tuple[int, int]]:
    """Play a match by touches; return for each move the milliseconds until the frame and until the channel show it."""
    found = []
    async with windows.lend() as first, windows.lend() as second:
        chats = first, second
        touching = [Touching(chat, touch=False) for chat in chats]
        for chat, member, one in zip(chats, members, touching, strict=True):
            await chat.page.goto(f"{address}/?as={member}")
            await expect(chat.page.get_by_role("button", name="Tap the board").last).to_be_visible()
            await one.open()
            await chat.page.evaluate(IN_CHANNEL)
            await frame_of(chat).evaluate(IN_FRAME)
        chance = random.Random(1)
        for _ in range(moves):
            boards = [await one.board(0) for one in touching]
            if boards[0]["over"]:
                break
            mover = next(number for number, board in enumerate(boards) if board["mine"])
            chat, other, ply = chats[mover], chats[1 - mover], boards[mover]["ply"] + 1
            await touching[mover].play(chance)
            for one in touching:
                await one.board(ply)
            await other.page.wait_for_function("ply => window.loaded[ply]", arg=str(ply))
            tapped = await frame_of(chat).evaluate("window.tapped")
            await frame_of(other).wait_for_function("ply => window.seen[ply]", arg=str(ply))
            shown = await frame_of(other).evaluate("ply => window.seen[ply]", str(ply))
            loaded = await other.page.evaluate("ply => window.loaded[ply]", str(ply))
            found.append((shown - tapped, loaded - tapped))
            await asyncio.sleep(0.5)
    return found


async def measure(games: list[str], moves: int) -> None:
    with TemporaryDirectory(prefix="pencilbox-bench-") as folder:
        async with Sandbox() as local, browser() as started:
            bot = await BotProcess.start(Path(folder), PENCILBOX_LOCAL_URL=local.url, **Pages(local).settings)
            try:
                await bot.online(local.url)
                windows, found = Windows(started), []
                async with players(local.url, local.world) as (ada, grace, _):
                    for game in games:
                        panel = await challenge(ada, grace, game)
                        found += await played(
                            windows, local.url, panel.match, (int(ada.id), int(grace.id)), moves
                        )
            finally:
                await bot.kill()
    for name, times in zip(("opponent's frame", "opponent's channel"), zip(*found, strict=True), strict=True):
        print(
            f"{name:<20}{len(times)} taps: median {median(times):.0f} ms, 90 % {quantiles(times, n=10)[-1]:.0f} ms"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=["skull", "polygons", "maze"])
    parser.add_argument("--moves", type=int, default=20, help="the most moves of a game")
    given = parser.parse_args()
    asyncio.run(measure(given.games, given.moves))
