"""The cost of a hundred spectators of one game: `python -m tests.bench.spectators`.

A bot process serves the Activity of a local Discord. Two members play in their pages at a steady pace, first without
spectators and then with a hundred, whose pages are sockets that ask for compression like a browser's. The difference of
the bot's processor time is what the spectators cost. `--spectators`, `--moves` and `--seconds` change the numbers.
"""

import argparse
import asyncio
import random
import time
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.activity.pages import Page, served
from tests.bench.moves.clock import processor_time, resting
from tests.e2e.play import challenge

STRANGERS = 500_000
"""The first id of the spectators, who are no members of the local Discord."""


async def moved(members: list[Page], match: int, moves: int, seconds: float, chance: random.Random) -> float:
    """Let members make moves in their pages at a pace; return the seconds that they took until all were shown."""
    began = time.monotonic()
    for number in range(1, moves + 1):
        boards = [await page.shows(match) for page in members]
        mover = next(page for page, board in zip(members, boards, strict=True) if board["mine"])
        board: Any = mover.board
        place = chance.choice(board["entry"]["places"])
        await mover.send(type="play", match=match, ply=board["ply"], move=place["move"])
        for page in members:
            await page.shows(match, board["ply"] + 1)
        await asyncio.sleep(max(0.0, began + number * seconds - time.monotonic()))
    return time.monotonic() - began


async def measure(spectators: int, moves: int, seconds: float, game: str, size: str) -> None:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pencilbox-bench-")))
        _, pages, bot, ada, grace = await stack.enter_async_context(served(folder))
        panel = await challenge(ada, grace, game, size)
        members = [await stack.enter_async_context(pages.page(int(it.id))) for it in (ada, grace)]
        for page in members:
            while page.counts["games"] == 0:
                await page.arrived()
            await page.send(type="open", match=panel.match)
        chance = random.Random(1)
        await moved(members, panel.match, 4, seconds, chance)
        watching: list[Page] = []
        spent: list[float] = []
        for count in (0, spectators):
            for number in range(count):
                page = await stack.enter_async_context(pages.page(STRANGERS + number))
                while page.counts["games"] == 0:
                    await page.arrived()
                await page.send(type="open", match=panel.match)
                watching.append(page)
            boards = [await page.shows(panel.match) for page in watching]
            before, sent = await resting(bot.pid), sum(page.counts["board"] for page in watching)
            took = await moved(members, panel.match, moves, seconds, chance)
            newest = (members[0].board or {})["ply"]
            for page in watching:
                await page.shows(panel.match, newest)
            spent.append(processor_time(bot.pid) - before)
            received = sum(page.counts["board"] for page in watching) - sent
            print(
                f"{count:>4} spectators: {spent[-1] / moves:7.1f} ms of processor time a move, "
                f"{spent[-1] / took / 10:5.1f} % of a core at {took / moves:.1f} s a move; {received} boards received"
            )
            del boards
        more = spent[1] - spent[0]
        print(
            f"{spectators} spectators cost {more / moves:.1f} ms a move, {more / moves / seconds / 10:.1f} % of a core"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--spectators", type=int, default=100)
    parser.add_argument("--moves", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=2.0, help="the seconds from one move to the next")
    parser.add_argument("--game", default="spaghetti")
    parser.add_argument("--size", default="long")
    given = parser.parse_args()
    asyncio.run(measure(given.spectators, given.moves, given.seconds, given.game, given.size))
