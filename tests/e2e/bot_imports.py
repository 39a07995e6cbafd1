"""Everything that a bot imports; and what tests change in it: pauses are shorter, pictures are coarse, it can begin
again, and it complains of messages that discord.py keeps in memory.

A bot that gets SIGUSR1 finishes what it is doing, empties its database, and says so in its log.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import wraps
from pathlib import Path
from typing import Any

import structlog
from discord.state import ConnectionState
from discord.ui import Modal
from discord.ui.view import BaseView, ViewStore
from sqlalchemy import delete

from bot import pencilbox
from bot.app import automatic
from bot.app.matches import timekeeper
from bot.pencilbox import Pencilbox
from bot.shards import manager
from bot.ui.interactions import waiting
from bot.ui.matches.clock_task import ClockTask
from bot.ui.posts import outbox, outbox_task
from db.address import address
from db.engine import make_engine
from db.models import AliveRow, Base
from tests.e2e.forked_process import EMPTIED, KEPT

# --- shorter pauses between two looks at what is due, for which tests would have to wait

pencilbox.SWEEP, outbox_task.PAUSE = 1.0, 0.5
outbox.RETRY_AFTER = timedelta(seconds=0.5)
manager.LOOK_INTERVAL, manager.FREE_FOR = 0.5, 1.0
timekeeper.BEAT = timedelta(seconds=1)  # type: ignore[attr-defined]  # imported there, not exported
automatic.INTERVAL_S = 1.0
timekeeper.SHORTEST = timedelta(seconds=0.1)

# --- on a busy machine films and reviews take longer, and notes of their progress would be among the messages

waiting.FIRST = 3600.0

_made = ConnectionState.__init__


def _soon_ready(self: ConnectionState[Any], **options: Any) -> None:
    """discord.py waits so many seconds for more servers; the local Discord has one."""
    _made(self, **{**options, "guild_ready_timeout": 0.2})


ConnectionState.__init__ = _soon_ready  # type: ignore[method-assign]  # no setting reaches it from outside

# --- messages that would stay in memory for ever

_keep = ViewStore.add_view


def _complaining(self: ViewStore, view: BaseView, message_id: int | None = None) -> None:
    if not isinstance(view, Modal):
        structlog.get_logger().error(KEPT, message=message_id)
    _keep(self, view, message_id)


ViewStore.add_view = _complaining  # type: ignore[method-assign]  # discord.py tells nobody

# --- an empty database

Round = Callable[..., Coroutine[Any, Any, Any]]


class Rounds:
    """The rounds that the bot makes by itself: no row may vanish in the middle of one."""

    def __init__(self) -> None:
        self._allowed, self._none = asyncio.Event(), asyncio.Event()
        self._running = 0
        self._allowed.set()
        self._none.set()

    def counting(self, work: Round) -> Round:
        @wraps(work)
        async def counted(*of: Any) -> Any:
            await self._allowed.wait()
            self._running += 1
            self._none.clear()
            try:
                return await work(*of)
            finally:
                self._running -= 1
                if not self._running:
                    self._none.set()

        return counted

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """None of it is going on."""
        self._allowed.clear()
        try:
            await self._none.wait()
            yield
        finally:
            self._allowed.set()


rounds = Rounds()


async def empty(bot: Pencilbox) -> None:
    """Delete every row of the bot's database, but for that which says that the bot is there. Numbers are not given
    again, so what the bot may still remember of earlier matches fits no later one."""
    async with rounds.held():
        while working := [task for task in asyncio.all_tasks() if _handles_an_event(task)]:
            await asyncio.wait(working)
        engine = make_engine(address(None, Path(bot._data_dir)))
        async with engine.begin() as connection:
            for table in reversed(Base.metadata.sorted_tables):
                if table is not AliveRow.__table__:
                    await connection.execute(delete(table))
        await engine.dispose()
    structlog.get_logger().info(EMPTIED)


def _handles_an_event(task: asyncio.Task[Any]) -> bool:
    """True for what runs because Discord has told of something; discord.py names these tasks so."""
    names = ("discord.py: ", "CommandTree-invoker", "discord-ui-")
    return task is not asyncio.current_task() and task.get_name().startswith(names)


def _listening(begin: Callable[[Pencilbox], None]) -> Callable[[Pencilbox], None]:
    def listen(self: Pencilbox) -> None:
        begin(self)
        loop, running = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        loop.add_signal_handler(signal.SIGUSR1, lambda: running.add(loop.create_task(empty(self))))

    return listen


# As Any, since type checkers know no way to give a class another method.
bot_class: Any = Pencilbox
clock_task_class: Any = ClockTask
outbox_class: Any = outbox_task.OutboxTask
automatic_class: Any = automatic.AutomaticMoves
for work in (
    Pencilbox._administer,
    Pencilbox._expire_challenges,
    Pencilbox._add_puzzles,
    Pencilbox._add_moments,
    Pencilbox._add_podiums,
    Pencilbox._clean_leaderboards,
    Pencilbox._delete_departed,
):
    setattr(bot_class, work.__name__, rounds.counting(work))
outbox_class.publish_pending = rounds.counting(outbox_task.OutboxTask.publish_pending)
automatic_class.round = rounds.counting(automatic.AutomaticMoves.round)
clock_task_class._round = rounds.counting(ClockTask._round)
bot_class.begin = _listening(Pencilbox.begin)
