"""The statements and transactions of the tasks that answer interactions. Background tasks do not count."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncSession

from db.sessions import Sessions

ANSWERING = ("discord.py: on_interaction", "discord-ui-", "CommandTree-invoker")
"""The beginnings of the names that discord.py gives to the tasks that answer interactions."""


def answering(task: asyncio.Task[Any] | None) -> bool:
    """Return True if a task answers an interaction."""
    return task is not None and task.get_name().startswith(ANSWERING)


async def answered() -> None:
    """Wait until no interaction is being answered."""
    while tasks := [task for task in asyncio.all_tasks() if answering(task)]:
        await asyncio.wait(tasks)


class Costs:
    """Counts what the tasks that answer interactions do with the database."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def watch(self, replace: Callable[[type, str, Any], None]) -> None:
        """Count from now on. `replace` sets an attribute of a class."""
        for name in ("read", "write"):
            replace(Sessions, name, self._session(getattr(Sessions, name)))
        for name in ("read_at_once", "write_at_once"):
            replace(Sessions, name, self._at_once(getattr(Sessions, name)))

    def _counting(self, connection: Connection) -> None:
        """Count a transaction, and its statements."""
        self.counts["transactions"] += 1

        def count(*_: object) -> None:
            self.counts["statements"] += 1

        event.listen(connection, "before_cursor_execute", count)

    def _session(self, opened: Callable[..., Any]) -> Callable[..., Any]:
        @asynccontextmanager
        async def counted(sessions: Sessions, **options: Any) -> AsyncIterator[AsyncSession]:
            async with opened(sessions, **options) as session:
                if answering(asyncio.current_task()):
                    await session.run_sync(lambda it: self._counting(it.connection()))
                yield session

        return counted

    def _at_once(self, run: Callable[..., Any]) -> Callable[..., Any]:
        async def counted(sessions: Sessions, work: Callable[[Connection], Any]) -> Any:
            def counting(connection: Connection) -> Any:
                self._counting(connection)
                return work(connection)

            return await run(sessions, counting if answering(asyncio.current_task()) else work)

        return counted
