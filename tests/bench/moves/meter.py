"""Processor time by part of a move, each moment charged to the innermost part that is at work in its thread."""

import inspect
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from functools import wraps
from types import coroutine
from typing import Any


class Meter:
    """Adds up milliseconds by part. Only what `inside` surrounds is charged to anything."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._threads = threading.local()

    @contextmanager
    def inside(self, part: str) -> Iterator[None]:
        """Charge this thread's processor time to `part` as long as the context lasts."""
        stack = self._stack()
        self._charge(stack)
        stack.append(part)
        try:
            yield
        finally:
            self._charge(stack)
            stack.pop()

    def _stack(self) -> list[str]:
        if not hasattr(self._threads, "stack"):
            self._threads.stack = []
            self._threads.since = time.thread_time()
        stack: list[str] = self._threads.stack
        return stack

    def _charge(self, stack: list[str]) -> None:
        now = time.thread_time()
        if stack:
            self.spent[stack[-1]] += 1000 * (now - self._threads.since)
        self._threads.since = now

    def metered(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose time is charged to `part`; of a coroutine, each step that it makes."""
        if inspect.iscoroutinefunction(function):

            @wraps(function)
            async def stepping(*args: Any, **kwargs: Any) -> Any:
                return await self._steps(part, function(*args, **kwargs))

            return stepping

        @wraps(function)
        def running(*args: Any, **kwargs: Any) -> Any:
            with self.inside(part):
                return function(*args, **kwargs)

        return running

    @coroutine
    def _steps(self, part: str, work: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
        step, given = work.send, None
        while True:
            try:
                with self.inside(part):
                    wanted = step(given)
            except StopIteration as stop:
                return stop.value
            try:
                step, given = work.send, (yield wanted)
            except BaseException as error:  # it is the coroutine's to handle
                step, given = work.throw, error
