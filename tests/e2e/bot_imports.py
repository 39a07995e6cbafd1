"""Everything that a bot imports, and what tests change in a bot.

Pauses are shorter. What every bot needs at its start, such as compiled statements,
is made once and inherited. A bot can begin again, and it logs an error if discord.py keeps a message in memory.

A bot that gets SIGUSR1 finishes what it is doing, empties its database, and says so in its log.
"""

import asyncio
import gc
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import structlog
from discord.backoff import ExponentialBackoff
from discord.state import ConnectionState
from discord.ui import Modal
from discord.ui.view import BaseView, ViewStore

from bot import pencilbox
from bot.app import automatic
from bot.app.challenges.terms import terms_of
from bot.app.matches import timekeeper
from bot.app.services import Services
from bot.app.tasks import rounds
from bot.app.tasks.background import BackgroundTask
from bot.pencilbox import Pencilbox
from bot.search.workers import SearchWorkers
from bot.shards import logins, manager, serve
from bot.startup.system import SystemChance, SystemClock
from bot.ui.interactions import waiting
from bot.ui.matches import reminder_tasks
from bot.ui.matches.reminder_tasks import ClockTask
from bot.ui.posts import outbox, outbox_task
from db.address import FILE_NAME
from db.engine import open_store
from db.models import AliveRow, Base
from db.values.matches import MatchOptions
from db.values.places import Ownership, Place, Shards
from render.picture import draw
from tests.db import compiled  # noqa: F401 - it makes all engines of a process share their compiled statements
from tests.e2e.bot_in_process import ready_soon
from tests.e2e.forked_process import EMPTIED, KEPT, START_PAUSE

# --- shorter pauses, for which tests would have to wait; with still shorter ones an idle bot keeps a processor busy

pencilbox.SWEEP, outbox_task.PAUSE = 5.0, 2.0
outbox.RETRY_AFTER = timedelta(seconds=0.5)
rounds.FIRST_DELAY = timedelta(seconds=1)
logins.SPAN, logins.AGAIN = START_PAUSE + 0.1, 0.1
serve.RETRY = logins.RETRY = 0.5  # type: ignore[attr-defined]  # imported there, not exported
serve.SLOW = 2.0
manager.LOOK_INTERVAL, manager.FREE_FOR, manager.RETAKE_AFTER = 0.5, 1.0, 2.0
timekeeper.BEAT = timedelta(seconds=2)  # type: ignore[attr-defined]  # imported there, not exported
automatic.INTERVAL_S = 5.0
reminder_tasks.FORGOTTEN_PAUSE = reminder_tasks.RESUMPTIONS_PAUSE = 5.0
timekeeper.SHORTEST = timedelta(seconds=0.1)

# --- on a busy machine films and reviews take longer, and notes of their progress would be among the messages

waiting.FIRST = 3600.0

ConnectionState.__init__ = ready_soon  # type: ignore[method-assign]  # no setting reaches it from outside

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


own_rounds = Rounds()


async def empty(bot: Pencilbox) -> None:
    """Delete every row of the bot's database, but for that which says that the bot is there. Numbers are not given
    again, so what the bot may still remember of earlier matches fits no later one."""
    async with own_rounds.held():
        while working := [task for task in asyncio.all_tasks() if _handles_an_event(task)]:
            await asyncio.wait(working)
        # An engine of SQLAlchemy would cost more than the rest of many a test.
        with closing(sqlite3.connect(Path(bot._data_dir) / FILE_NAME, timeout=60)) as database, database:
            for table in Base.metadata.sorted_tables:
                if table is not AliveRow.__table__:
                    database.execute(f"DELETE FROM {table.name}")
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
bot_module: Any = pencilbox
bot_class: Any = Pencilbox
clock_task_class: Any = ClockTask
backoff_class: Any = ExponentialBackoff
outbox_class: Any = outbox_task.OutboxTask
automatic_class: Any = automatic.AutomaticMoves
COUNTED = (
    "administration",
    "challenges",
    "daily puzzles",
    "weekly posts",
    "podiums",
    "leaderboards",
    "departures",
)


class CountedTask(BackgroundTask):
    """A background task whose rounds count if its name is one of COUNTED."""

    def __init__(self, name: str, work: Round, **others: Any) -> None:
        super().__init__(name, own_rounds.counting(work) if name in COUNTED else work, **others)


bot_module.BackgroundTask = CountedTask
outbox_class.publish_pending = own_rounds.counting(outbox_task.OutboxTask.publish_pending)
automatic_class.round = own_rounds.counting(automatic.AutomaticMoves.round)
clock_task_class._round = own_rounds.counting(ClockTask._round)
bot_class.begin = _listening(Pencilbox.begin)
_delay = ExponentialBackoff.delay
backoff_class.delay = lambda self: _delay(self) / 10  # before discord.py connects to the gateway again

# --- a game is played before bots are forked, so that they inherit what is made at the first use of anything


async def _warm_up() -> None:
    with TemporaryDirectory() as folder:
        search = SearchWorkers(1, 1.0)
        async with open_store(None, Path(folder)) as store:
            hour = timedelta(hours=1)
            services = Services(
                store,
                SystemClock(),
                SystemChance(),
                search,
                theme="slate",
                challenge_lifetime=hour,
                departure_grace=hour,
                ownership=Ownership(),
            )
            bot = Pencilbox(services, Path(folder))
            services.ownership.owned = services.ownership.served = Shards()
            terms = terms_of("alaric", "", 2, 2, options=MatchOptions())
            offer = await services.challenges.make(Place(guild=1, channel=2), 3, terms, (4,))
            _, loaded = await services.challenges.accept(offer.id, 4)
            assert loaded is not None
            draw(loaded.match.observe(None), theme="slate")
            for task in bot.background:
                if task.name in (*COUNTED, "clocks", "posts"):
                    await task._work()
        await search.close()


asyncio.run(_warm_up())
gc.collect()
gc.freeze()
