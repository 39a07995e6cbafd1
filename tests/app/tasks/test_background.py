"""Background tasks go on after errors, with pauses that grow and with few lines in the log."""

import asyncio
from collections.abc import Iterator

import pytest
import structlog

from bot.app.tasks.background import BackgroundTask, current_request


class Over(BaseException):
    """The script has come to its end."""


class Day:
    """A clock that stands still but for the pauses, and a script of what happens in each round."""

    def __init__(self, *script: float | Exception) -> None:
        self._script: Iterator[float | Exception] = iter(script)
        self.pauses: list[float] = []
        self.now = 1000.0

    async def work(self) -> float:
        found = next(self._script, None)
        if found is None:
            raise Over
        if isinstance(found, Exception):
            raise found
        return found

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    async def run(self) -> BackgroundTask:
        task = BackgroundTask("test", self.work, sleep=self.sleep, now=lambda: self.now)
        with pytest.raises(Over):
            await task.run()
        return task


async def test_pauses_grow_to_a_minute_and_begin_again_after_a_round_that_succeeds() -> None:
    day = Day(*[OSError()] * 8, 15.0, OSError(), 15.0)
    task = await day.run()
    assert day.pauses == [1, 2, 4, 8, 16, 32, 60, 60, 15, 1, 15]
    assert (task.failures, task.rounds) == (9, 12)


async def test_the_lines_of_a_round_carry_its_request_id() -> None:
    requests: list[str | None] = []

    async def note() -> None:
        requests.append(current_request())

    class Noting(Day):
        async def work(self) -> float:
            await asyncio.create_task(note())
            return await super().work()

    await Noting(15.0, 15.0).run()
    assert requests == ["test-1", "test-2", "test-3"]


async def test_a_kind_of_error_is_logged_once_a_minute_without_its_text() -> None:
    day = Day(*[OSError("a hidden row")] * 9, ValueError("RBRB"))
    with structlog.testing.capture_logs() as lines:
        await day.run()
    assert [(line["error"], line["times"]) for line in lines] == [
        ("OSError", 1),
        ("OSError", 6),
        ("OSError", 1),
        ("OSError", 1),
        ("ValueError", 1),
    ]
    assert all(line["task"] == "test" and "test_background.py:" in line["at"] for line in lines)
    assert "hidden" not in str(lines)
    assert "RBRB" not in str(lines)


async def test_a_cancelled_task_ends() -> None:
    begun = asyncio.Event()

    async def work() -> float:
        begun.set()
        return 3600.0

    running = asyncio.create_task(BackgroundTask("test", work).run())
    await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
