"""A process that loses its connection to the others stops its work, and continues after reconnecting."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.shards.manager import ShardAssignment, ShardManager
from db.processes.link import LinkLost, Look
from db.processes.notifications import Notification
from db.values.places import Shards
from tests.waiting import wait_until

PATIENCE = 20.0
"""Timeout in seconds of a wait, after which the test fails."""


class CutLink:
    """A link that tests cut. `elsewhere` are the shards of other processes."""

    joined = True
    unreachable = False
    reachable = True

    def __init__(self) -> None:
        self.elsewhere: set[int] = set()
        self.mine: set[int] = set()
        self.alone = True
        self.others: dict[int, frozenset[int]] = {}
        self.lost: Callable[[], None] = lambda: None
        self.on_notification: Callable[[Notification], None] = lambda _: None

    def cut(self, *, unreachable: bool) -> None:
        self.mine.clear()
        self.joined, self.reachable, self.unreachable = False, False, unreachable
        self.lost()

    async def join(self) -> bool:
        self.joined = self.reachable
        return self.joined

    async def agree(self, count: int) -> int:
        return count

    async def share(self) -> None:
        self._check()

    async def end_sharing(self) -> None:
        self._check()

    async def look(self) -> Look:
        self._check()
        return Look(frozenset(self.elsewhere | self.mine), self.others, alone=self.alone)

    async def take(self, shard: int) -> bool:
        self._check()
        if shard not in self.elsewhere:
            self.mine.add(shard)
        return shard in self.mine

    async def give(self, shard: int) -> None:
        self._check()
        self.mine.discard(shard)

    async def take_turn(self, remainder: int) -> bool:
        return True

    async def end_turn(self, remainder: int) -> None:
        pass

    async def leave(self) -> None:
        pass

    def _check(self) -> None:
        if not self.joined:
            raise LinkLost


class Managed:
    """A manager with a record of its calls to the bot and of its running clients."""

    def __init__(self, link: CutLink) -> None:
        self.owned: list[frozenset[int]] = [frozenset()]
        self.running: set[int] = set()
        self.begun: list[int] = []
        self.published = asyncio.Event()
        store = SimpleNamespace(matches=SimpleNamespace(forget=lambda _: None))
        bot = SimpleNamespace(
            own=self._own,
            receive=lambda _: None,
            services=SimpleNamespace(store=store),
            stands_by=False,
            finish_posts=self.published.wait,
        )
        self.manager = ShardManager(cast(Any, bot), link, ShardAssignment(2), self._run)

    def _own(self, shards: Shards) -> None:
        self.owned.append(shards.numbers)

    async def _run(self, shard: int) -> None:
        self.running.add(shard)
        self.begun.append(shard)
        try:
            await asyncio.Event().wait()
        finally:
            self.running.discard(shard)


@pytest.fixture
def link() -> CutLink:
    return CutLink()


@pytest.fixture
async def managed(link: CutLink, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Managed]:
    """Return a manager that owns its two shards."""
    monkeypatch.setattr("bot.shards.manager.LOOK_INTERVAL", 0.01)
    monkeypatch.setattr("bot.shards.manager.RETAKE_AFTER", 0.05)
    made = Managed(link)
    keeping = asyncio.create_task(made.manager.keep())
    await wait_until(lambda: made.running == {0, 1})
    yield made
    made.manager.stop()
    with suppress(LinkLost):
        await keeping
    assert made.running == set()
    assert link.mine == set()


async def test_lost_link_ends_all_work(link: CutLink, managed: Managed) -> None:
    assert managed.owned[-1] == {0, 1}
    link.cut(unreachable=False)
    assert managed.owned[-1] == frozenset()


async def test_untaken_shards_are_kept_without_a_login(link: CutLink, managed: Managed) -> None:
    link.cut(unreachable=False)
    link.elsewhere, link.reachable = {1}, True
    await wait_until(lambda: managed.owned[-1] == {0})
    assert managed.running == {0}
    assert managed.begun == [0, 1]


async def test_clients_end_if_others_may_serve(link: CutLink, managed: Managed) -> None:
    link.alone = False
    await wait_until(lambda: not managed.manager.alone)
    link.cut(unreachable=True)
    await wait_until(lambda: not managed.running)


@pytest.mark.parametrize(("alone", "unreachable"), [(True, True), (True, False), (False, False)])
async def test_clients_stay_if_nobody_else_can_serve(
    link: CutLink, managed: Managed, alone: bool, unreachable: bool
) -> None:
    """The process was alone, or the database does not run. The clients tell members about the failure."""
    link.alone = alone
    await wait_until(lambda: managed.manager.alone == alone)
    link.cut(unreachable=unreachable)
    rounds = 0

    async def counted() -> bool:
        nonlocal rounds
        rounds += 1
        return False

    link.join = counted  # type: ignore[method-assign]  # a server that stays away
    await wait_until(lambda: rounds > 20)
    assert managed.running == {0, 1}
    assert managed.owned[-1] == frozenset()


async def test_shard_is_given_after_what_is_being_posted(link: CutLink, managed: Managed) -> None:
    """Its next owner would post the same message again."""
    link.others = {2: frozenset()}
    await wait_until(lambda: managed.running == {0})
    assert managed.owned[-1] == {0}
    await asyncio.sleep(0.05)
    assert link.mine == {0, 1}
    managed.published.set()
    await wait_until(lambda: link.mine == {0})
