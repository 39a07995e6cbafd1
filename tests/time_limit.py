"""A pytest plugin that fails a hanging test with the stacks of its threads and tasks, and goes on with the next."""

import asyncio
import faulthandler
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from tests.seeds import SHARE

LIMIT = 120
"""Seconds for each phase of a test: its fixtures, itself, and what its fixtures clean up."""
AGAIN = 10
"""Seconds after which a test that continues, because one of its tasks took the exception, is interrupted again."""
SAMPLES = 0.2
"""The limit holds up to this share of examples (PENCILBOX_TRIALS); with more, as in `make soak`, tests take long."""


@contextmanager
def _limited(item: pytest.Item) -> Iterator[None]:
    if any(item.get_closest_marker(mark) for mark in ("soak", "takes_long")) or SHARE > SAMPLES:
        yield
        return

    def interrupt(_: int, __: FrameType | None) -> None:
        faulthandler.dump_traceback(sys.__stderr__ or 2)
        try:
            tasks = asyncio.all_tasks()
        except RuntimeError:  # no loop runs
            tasks = set()
        for task in tasks:
            task.print_stack(file=sys.stderr)
        pytest.fail(f"The test hangs: it took more than {LIMIT} s. The stacks of its tasks are in stderr.")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, LIMIT, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with _limited(item):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _limited(item):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    with _limited(item):
        yield
