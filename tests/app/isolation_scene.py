"""Parts of the cases of tests/app/test_isolation.py: items of a round, and ways to break one of them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import select, update

from bot.app.automatic import AutomaticMoves
from bot.app.matches.loaded import forget_positions
from bot.ui.matches.reminder_tasks import ClockTask
from bot.ui.posts.outbox import Outbox
from db.models import PlyRow
from db.values.places import Place
from tests.app.conftest import ADA, HERE, Host

DAY = timedelta(days=1)
SERVERS = (1, 2, 3)
Run = Callable[[], Awaitable[object]]


class Broken(Exception):
    """The error of the item that is broken."""


@dataclass
class Scene:
    """The setting of a case: a host, a folder, and items that fail when a patched method is called with them."""

    host: Host
    folder: Path
    patch: pytest.MonkeyPatch
    broken: object = None

    def fail(self, owner: object, method: str, of: Callable[..., object] = lambda it, *_: it) -> None:
        """Let a method fail for the broken item; `of` returns the item from the method's arguments."""
        work = getattr(owner, method)

        async def failing(*arguments: Any, **named: Any) -> Any:
            if of(*arguments) == self.broken:
                raise Broken
            return await work(*arguments, **named)

        self.patch.setattr(owner, method, failing)

    @asynccontextmanager
    async def without(self, item: object) -> AsyncIterator[None]:
        """Break an item while the context lasts."""
        self.broken = item
        yield
        self.broken = None


@dataclass
class Prepared:
    """The items of a round, the round, and how to see that an item is done."""

    items: Sequence[Any]
    round: Run
    done: Callable[[Any], Awaitable[bool]]
    broken: Callable[[Any], AbstractAsyncContextManager[None]]
    """Break an item while the context lasts."""
    key: Callable[[Any], str] = str
    """The name of an item for the operator."""
    task: str = ""
    """The name of the task for the operator, if it is not that of the case."""


Case = Callable[[Scene], Awaitable[Prepared]]


def unreadable(host: Host) -> Callable[[int], AbstractAsyncContextManager[None]]:
    """Return what makes the record of a match unreadable while a context lasts."""

    async def store_first_move(match: int, move: str) -> None:
        async with host.store.sessions.write() as session:
            changed = update(PlyRow).where(PlyRow.match_id == match, PlyRow.ply == 0)
            await session.execute(changed.values(text=move))
        host.store.matches.forget(lambda _: True)
        forget_positions()

    @asynccontextmanager
    async def broken(match: int) -> AsyncIterator[None]:
        async with host.store.sessions.read() as session:
            query = select(PlyRow.text).where(PlyRow.match_id == match, PlyRow.ply == 0)
            before = await session.scalar(query)
        assert before is not None
        await store_first_move(match, "?")
        yield
        await store_first_move(match, before)

    return broken


async def moved(host: Host, place: Place = HERE, clock: str = "") -> int:
    """Begin a game in which the first player has moved. Return its id."""
    loaded = await host.begin("skull", "quick", place, clock=clock)
    await host.services.matches.play(loaded.id, ADA, "c2")
    return loaded.id


def is_over(host: Host) -> Callable[[int], Awaitable[bool]]:
    async def over(match: int) -> bool:
        stored = await host.store.matches.load(match)
        return stored is not None and stored.finished_at is not None

    return over


class Told:
    """Stands for a function that tells players of a match, and fails for the broken one."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._matches: list[int] = []

    async def __call__(self, loaded: Any, *_: object) -> None:
        """Note a match, which is given loaded or by its id."""
        match = loaded if isinstance(loaded, int) else loaded.id
        if match == self._scene.broken:
            raise Broken
        self._matches.append(match)

    async def once(self, match: int) -> bool:
        assert self._matches.count(match) <= 1, "players were told twice"
        return match in self._matches


def clock_task(scene: Scene) -> tuple[ClockTask, Told, Told]:
    """Return the task of clocks, what reminds players, and what tells them of decisions."""
    remind, show = Told(scene), Told(scene)

    async def no_wait() -> None:
        pass

    scene.patch.setattr(scene.host.services.timekeeper, "wait", no_wait)
    ui_services = SimpleNamespace(clients=SimpleNamespace(connected=frozenset({0})))
    boards = SimpleNamespace(show_unreached=show, outbox=SimpleNamespace(wake=lambda: None))
    task = ClockTask(scene.host.services, cast(Any, ui_services), cast(Any, boards))
    scene.patch.setattr(task, "_write", remind)
    return task, remind, show


def automatic_moves(host: Host) -> tuple[AutomaticMoves, Run]:
    """Return the task of computer players, and a round that ends when all of them have moved."""

    async def show(match: int) -> None:
        pass

    task = AutomaticMoves(host.services, show)

    async def rounds() -> None:
        task.search_all()
        await task.round()
        while task._thinking:
            await asyncio.wait(task._thinking.values())

    return task, rounds


def outbox_of(host: Host) -> Outbox:
    """Return an outbox that can post everywhere."""
    posting = SimpleNamespace(reaches=lambda _: True)
    clients = SimpleNamespace(get_guild=lambda _: SimpleNamespace(unavailable=False))
    return Outbox(cast(Any, clients), host.services, cast(Any, posting), cast(Any, None))
