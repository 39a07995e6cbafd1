"""The project files that a press enters: `python -m tests.bench.press`, or with `--game skull` and `--list`.

Plays the first move of a game by its button on a local Discord, with the bot in this process. Prints how many files and
functions of the project are entered until the press is answered. Background tasks of the bot do not count.
"""

import argparse
import asyncio
import sys
import threading
from contextvars import ContextVar
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from bot.sandbox import Sandbox
from tests.contract.player import players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.costs import answered, answering
from tests.e2e.panels import panel_at
from tests.e2e.play import by_button, challenge

ROOT = f"{Path(__file__).resolve().parents[2]}/"
PRODUCT = ("bot/", "db/", "render/", "rules/")
LOCAL_DISCORD = "bot/sandbox/"

_answers: ContextVar[bool] = ContextVar("answers", default=False)
"""True if this task or thread answers the press. Tasks and threads that it starts inherit its context."""


class Trace:
    """A profile function that records the files and functions that answer a press."""

    def __init__(self) -> None:
        self.recording = False
        self.entered: dict[str, set[str]] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if not self.recording or event != "call" or not file.startswith(ROOT):
            return
        file = file.removeprefix(ROOT)
        if file.startswith(PRODUCT) and not file.startswith(LOCAL_DISCORD) and answers():
            self.entered.setdefault(file, set()).add(frame.f_code.co_qualname)


def answers() -> bool:
    """Return True in the task that answers the press, and in whatever it starts."""
    if not _answers.get():
        try:
            task = asyncio.current_task()
        except RuntimeError:
            return False
        _answers.set(answering(task))
    return _answers.get()


async def press(game: str, trace: Trace) -> None:
    """Record the first move of a game."""
    with TemporaryDirectory() as folder:
        async with (
            Sandbox() as local,
            bot_here(local.url, Path(folder)),
            players(local.url, local.world) as (ada, grace, _),
        ):
            board = await challenge(ada, grace, game)
            await answered()
            trace.recording = True
            await by_button(ada if board.turn == ada.id else grace, board, next(iter(board.moves)))
            await panel_at(ada, board.match, board.plies + 1)
            await answered()
            trace.recording = False


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.press", description=__doc__)
    parser.add_argument("--game", default="alaric", help="the game that is played (default: alaric)")
    parser.add_argument("--list", action="store_true", help="print each file with its functions")
    arguments = parser.parse_args()
    trace = Trace()
    # Before the bot starts its threads: a thread gets its profile function when it starts.
    threading.setprofile(trace)
    sys.setprofile(trace)
    asyncio.run(press(arguments.game, trace))
    for file, functions in sorted(trace.entered.items()) if arguments.list else ():
        print(f"{file}: {', '.join(sorted(functions))}")
    print(f"files {len(trace.entered)}, functions {sum(map(len, trace.entered.values()))}")


if __name__ == "__main__":
    main()
