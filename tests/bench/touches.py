"""The time from a touch to the opponent's new board: `python -m tests.bench.touches`.

Two members of a local Discord play in frames of the Activity, each in a real Chromium. After each touch the
bench takes the times at which the opponent's window shows the new board: in the frame, and in the channel below it,
where the message is edited as for members without the Activity. `--moves` and `--games` change what is played.
"""

import argparse
import asyncio
import os
import random
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from tests.activity.pages import served
from tests.e2e.page.touching import Touching
from tests.e2e.play import challenge
from tests.sandbox.page.browser import browser
from tests.sandbox.page.windows import Windows

WATCH = """(() => {
    const at = () => performance.timeOrigin + performance.now();
    const shown = (window.shownAt = {});
    const note = (key) => requestAnimationFrame(() => requestAnimationFrame(() => (shown[key] ??= at())));
    addEventListener("pointerup", () => (window.releasedAt = at()), true);
    new MutationObserver(() => {
        const board = document.querySelector("#board[data-ply]");
        if (board) note(board.dataset.ply);
        for (const image of document.querySelectorAll("article.message img")) {
            const ply = /-(\\d+)\\.png/.exec(image.src)?.[1];
            if (ply && !(ply in shown)) image.decode().then(() => note(ply), () => {});
        }
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ply", "src"] });
})()"""
"""Keeps, in a window and in its frame, when each position was painted first, and when the pointer was last released.
Times are milliseconds since 1970."""
SHOWN = "ply => window.shownAt[ply] ?? null"
PLACES = ("own frame", "opponent's frame", "opponent's channel")


async def _shown(frame: Any, ply: int) -> float:
    handle = await frame.wait_for_function(SHOWN, arg=ply)
    return float(await handle.json_value())


async def measure(games: list[str], moves: int) -> None:
    taken: dict[str, list[float]] = {place: [] for place in PLACES}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pencilbox-bench-")))
        url, _, _, ada, grace = await stack.enter_async_context(served(folder))
        # A browser for each, as for members who sit at two machines: windows of one browser share a thread.
        windows = [Windows(await stack.enter_async_context(browser())) for _ in range(2)]
        chance = random.Random(1)
        for game in games:
            before = {place: len(times) for place, times in taken.items()}
            match = (await challenge(ada, grace, game, "standard")).match
            async with AsyncExitStack() as table:
                members = []
                for player, own in zip((ada, grace), windows, strict=True):
                    chat = await table.enter_async_context(own.lend(accept_downloads=False))
                    await chat.page.add_init_script(WATCH)
                    member = Touching(chat, touch=False)
                    await member.open(f"{url}/?as={player.id}", match)
                    members.append(member)
                for _ in range(moves):
                    await _move(members, match, chance, taken)
            for place, times in taken.items():
                print(_line(f"{game}, {place}", times[before[place] :]), flush=True)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for place, times in taken.items():
        print(_line(place, times))


async def _move(
    members: list[Touching], match: int, chance: random.Random, taken: dict[str, list[float]]
) -> None:
    """Let the member on turn touch a move, and take the times until it is shown."""
    while not (
        on_turn := [it for it in members if it.boards[-1]["match"] == match and it.boards[-1]["mine"]]
    ):
        await asyncio.sleep(0.05)
    mover = on_turn[0]
    other = next(it for it in members if it is not mover)
    ply = mover.boards[-1]["ply"]
    await mover.play(chance)
    frames = [next(it for it in member.page.frames if it.parent_frame) for member in (mover, other)]
    places = (frames[0], frames[1], other.page.main_frame)
    times = [await _shown(place, ply + 1) for place in places]
    released = float(await frames[0].evaluate("window.releasedAt"))
    for place, at in zip(PLACES, times, strict=True):
        taken[place].append(at - released)
    await asyncio.sleep(0.3)  # the next move waits until nothing of this one is still going on


def _line(place: str, times: list[float]) -> str:
    slow = quantiles(times, n=10)[-1]
    return f"{place:32} {len(times):>3} touches: median {median(times):5.0f} ms, p90 {slow:5.0f} ms"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--moves", type=int, default=14, help="the moves of each game that are measured")
    parser.add_argument("--games", nargs="+", default=["alaric", "spaghetti", "maze"])
    given = parser.parse_args()
    asyncio.run(measure(given.games, given.moves))
