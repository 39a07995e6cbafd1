"""In a round, an item that fails affects only itself, and is retried until it is set aside."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import Any

import pytest
import structlog

from bot.app.tasks.rounds import (
    FIRST_DELAY,
    LEAST_ATTEMPTS,
    LONGEST_DELAY,
    OUTAGE,
    RELOAD_AFTER,
    ROUND_S,
    SET_ASIDE_AFTER,
    EndRound,
    Rounds,
    TryLater,
)
from db.values.failures import FailedItem, StoreFailed
from tests.app.conftest import Host

pytestmark = pytest.mark.slow


class Work:
    """Rounds over three items, and a script of which of them fails."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.rounds = Rounds(host.store.failed_items, host.clock)
        self.broken: dict[int, BaseException] = {}
        self.attempted: list[int] = []

    async def process(self, item: int) -> None:
        self.attempted.append(item)
        if (error := self.broken.get(item)) is not None:
            raise error

    async def round(self, *items: int) -> list[int]:
        """Run a round over the items 1, 2 and 3, or over others. Return those that were attempted."""
        self.attempted.clear()
        await self.rounds.each("work", items or (1, 2, 3), self.process)
        return list(self.attempted)

    async def stored(self) -> list[FailedItem]:
        return list(await self.host.store.failed_items.listed(10))


@pytest.fixture
def work(host: Host) -> Work:
    return Work(host)


async def test_failing_item_affects_only_itself(work: Work) -> None:
    work.broken[1] = ValueError("RBRB")
    with structlog.testing.capture_logs() as lines:
        assert await work.round() == [1, 2, 3]
        assert await work.round() == [2, 3]
        work.host.clock.push(FIRST_DELAY)
        assert await work.round() == [2, 3, 1], "what failed before comes last"
    (line,) = lines
    assert (line["event"], line["task"], line["item"]) == ("item.failed", "work", "1")
    assert line["error"].startswith("ValueError at tests/app/tasks/test_rounds.py:")
    assert "RBRB" not in str(lines)
    assert work.rounds.failures == {"work": 2}
    (failed,) = await work.stored()
    assert (failed.task, failed.item, failed.times, failed.error) == ("work", "1", 2, line["error"])


async def test_recovered_item_is_no_longer_listed(work: Work) -> None:
    work.broken[1] = ValueError()
    await work.round()
    work.broken.clear()
    work.host.clock.push(FIRST_DELAY)
    with structlog.testing.capture_logs() as lines:
        assert sorted(await work.round()) == [1, 2, 3]
    assert [line["event"] for line in lines] == ["item.recovered"]
    assert await work.stored() == []
    assert await work.round() == [1, 2, 3]


async def test_delays_double_up_to_the_longest(work: Work) -> None:
    work.broken[1] = ValueError()
    delays = []
    for _ in range(11):
        await work.round()
        (failed,) = await work.stored()
        assert failed.retry_at is not None
        delays.append((failed.retry_at - work.host.clock.now()).total_seconds())
        work.host.clock.time = failed.retry_at - timedelta(microseconds=1)
        assert await work.round(1) == []
        work.host.clock.time = failed.retry_at
    assert delays == [15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]


async def test_item_is_set_aside_after_a_day_with_one_log_line(work: Work) -> None:
    work.broken[1] = ValueError()
    began, attempts = work.host.clock.now(), 0
    with structlog.testing.capture_logs() as lines:
        while work.host.clock.now() - began < SET_ASIDE_AFTER + 2 * LONGEST_DELAY:
            attempts += len(await work.round(1))
            work.host.clock.push(LONGEST_DELAY / 4)
    assert [line["event"] for line in lines] == ["item.failed", "item.set_aside"]
    (failed,) = await work.stored()
    assert (failed.retry_at, failed.times) == (None, attempts)
    assert work.rounds.set_aside == {"work": 1}
    assert work.rounds.failures == {"work": attempts}
    assert SET_ASIDE_AFTER / LONGEST_DELAY < attempts < 40


async def test_item_is_not_set_aside_for_days_without_the_bot(work: Work) -> None:
    """A day with a few attempts is not enough: the bot was stopped, or the machine's clock jumped."""
    work.broken[1] = ValueError()
    for _ in range(LEAST_ATTEMPTS - 1):
        await work.round(1)
        (failed,) = await work.stored()
        assert failed.retry_at is not None
        work.host.clock.push(SET_ASIDE_AFTER / 2)
    await work.round(1)
    assert [it.retry_at for it in await work.stored()] == [None]


async def test_clock_set_back_does_not_delay_a_retry(work: Work) -> None:
    work.broken[1] = ValueError()
    await work.round(1)
    work.host.clock.push(-timedelta(days=30))
    assert await work.round(1) == [1]


@pytest.mark.parametrize("error", [TryLater(), StoreFailed("gone")])
async def test_outage_ends_the_round(work: Work, error: Exception) -> None:
    items = range(1, 10)
    work.broken |= dict.fromkeys(items, error)
    with pytest.raises(type(error)):
        await work.round(*items)
    assert work.attempted == [*range(1, OUTAGE + 1)]
    del work.broken[5]
    with pytest.raises(type(error)):
        await work.round(*items)
    assert work.attempted == [4, 5, 6, 7, 8], "those that failed wait, and a success begins a new count"


async def test_outages_do_not_count_towards_setting_aside(work: Work) -> None:
    work.broken[1] = TryLater()
    began = work.host.clock.now()
    while work.host.clock.now() - began <= SET_ASIDE_AFTER:
        await work.round(1)
        work.host.clock.push(LONGEST_DELAY)
    assert [it.error.partition(" at ")[0] for it in await work.stored()] == ["outage, TryLater"]
    work.broken[1] = ValueError()
    with structlog.testing.capture_logs() as lines:
        assert await work.round(1) == [1]
    assert [line["event"] for line in lines] == ["item.failed"]
    (failed,) = await work.stored()
    assert (failed.times, failed.since) == (1, work.host.clock.now())
    work.host.clock.push(FIRST_DELAY)
    work.broken[1] = TryLater()
    await work.round(1)
    (after,) = await work.stored()
    assert (after.times, after.since, after.error) == (1, failed.since, failed.error)


async def test_reason_of_an_outage_is_stored(work: Work) -> None:
    async def process(item: int) -> None:
        try:
            raise ConnectionResetError
        except OSError as error:
            raise TryLater from error

    await work.rounds.each("work", [1], process)
    assert [it.error.partition(" at ")[0] for it in await work.stored()] == ["outage, ConnectionResetError"]


async def test_failures_survive_a_restart(work: Work) -> None:
    work.broken[2] = ValueError()
    await work.round()
    work.rounds = Rounds(work.host.store.failed_items, work.host.clock)
    assert await work.rounds.waiting("work") == ["2"]
    assert await work.round() == [1, 3]
    work.host.clock.push(FIRST_DELAY)
    assert await work.rounds.due("work") == ["2"]
    await work.round()
    assert [it.times for it in await work.stored()] == [2]


async def test_operator_has_an_item_retried(work: Work) -> None:
    work.broken |= {1: ValueError(), 2: ValueError()}
    await work.round()
    work.host.clock.push(FIRST_DELAY)
    await work.round()
    assert await work.host.store.failed_items.forget("work", "1") == 1
    assert await work.round() == [3], "what failed is read again after a minute"
    work.host.clock.push(RELOAD_AFTER)
    assert await work.rounds.waiting("work") == []
    assert sorted(await work.round()) == [1, 2, 3]
    assert {it.item: it.times for it in await work.stored()} == {"1": 1, "2": 3}


async def test_changed_conditions_have_items_retried(work: Work) -> None:
    work.broken[1] = ValueError()
    await work.round()
    await work.rounds.retry("work", ["1", "2"])
    assert await work.stored() == []
    assert await work.round() == [1, 2, 3]


async def test_abandoned_failures_are_forgotten(work: Work) -> None:
    """An item that no longer exists is never processed again, so its failure is deleted a day after its retry."""
    work.broken[1] = ValueError()
    await work.round()
    work.host.clock.push(FIRST_DELAY + SET_ASIDE_AFTER)
    await work.round(2)
    assert len(await work.stored()) == 1
    work.host.clock.push(RELOAD_AFTER)
    await work.round(2)
    assert await work.stored() == []


async def test_store_that_fails_while_noting_stops_nothing(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure is kept in memory, also when the store is read again, and stored as soon as that succeeds."""
    work.broken |= {1: ValueError(), 2: ValueError()}
    await work.round(2)
    work.host.clock.push(FIRST_DELAY)
    del work.broken[2]

    async def fail(*_: Any, **__: Any) -> None:
        raise StoreFailed("full")

    with monkeypatch.context() as patched:
        patched.setattr(work.host.store.failed_items, "keep", fail)
        patched.setattr(work.host.store.failed_items, "forget", fail)
        assert await work.round() == [1, 3, 2]
        assert [it.item for it in await work.stored()] == ["2"]
        for _ in range(3):
            work.host.clock.push(RELOAD_AFTER)
            await work.round()
        assert work.rounds._failed["work", "1"].times == 4
    work.host.clock.push(RELOAD_AFTER)
    await work.round(3)
    assert [(it.item, it.times) for it in await work.stored()] == [("1", 4)]


async def test_reading_keeps_what_fails_meanwhile(work: Work) -> None:
    """Tasks share the failed items: one reads them while another notes a failure."""
    work.broken[1] = ValueError()

    async def other() -> None:
        await work.rounds.waiting("other")

    await asyncio.gather(other(), work.round(1), other())
    assert await work.rounds.waiting("work") == ["1"]


async def test_round_is_bounded_in_time(host: Host) -> None:
    seconds = 0.0
    rounds = Rounds(host.store.failed_items, host.clock, stopwatch=lambda: seconds)
    done = []

    async def process(item: int) -> None:
        nonlocal seconds
        seconds += ROUND_S / 2
        done.append(item)

    await rounds.each("work", range(10), process)
    assert done == [0, 1, 2]


async def test_item_that_takes_too_long_counts_as_failed(work: Work) -> None:
    async def process(item: int) -> None:
        work.attempted.append(item)
        if item == 1:
            await asyncio.Event().wait()

    await work.rounds.each("work", (1, 2), process, seconds=0.01)
    assert work.attempted == [1, 2]
    assert [it.error.partition(" at ")[0] for it in await work.stored()] == ["TimeoutError"]


async def test_end_of_a_round_is_no_failure(work: Work) -> None:
    work.broken[2] = EndRound()
    assert await work.round() == [1, 2]
    assert await work.stored() == []
    assert await work.round() == [1, 2]


async def test_cancelled_wait_of_an_item_does_not_end_the_task(work: Work) -> None:
    work.broken[1] = asyncio.CancelledError()
    assert await work.round() == [1, 2, 3]
    assert [it.item for it in await work.stored()] == ["1"]


async def test_cancelled_task_ends(work: Work) -> None:
    begun = asyncio.Event()

    async def process(item: int) -> None:
        begun.set()
        await asyncio.Event().wait()

    running = asyncio.create_task(work.rounds.each("work", (1, 2), process))
    await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await work.stored() == []


async def test_round_yields_after_each_item(work: Work) -> None:
    order: list[object] = []

    async def process(item: int) -> None:
        order.append(item)

    async def interaction() -> None:
        order.append("pressed")

    pressing: list[Awaitable[None]] = []

    async def press_during_the_first(item: int) -> None:
        if item == 1:
            pressing.append(asyncio.create_task(interaction()))
        await process(item)

    await work.round()  # the failed items are read
    await work.rounds.each("work", (1, 2, 3), press_during_the_first)
    assert order == [1, "pressed", 2, 3]
    await asyncio.gather(*pressing)
