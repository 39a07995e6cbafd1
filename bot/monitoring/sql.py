"""Statements, transactions and connections of the database, through SQLAlchemy's events."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any
from weakref import WeakSet

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import Pool, QueuePool

from bot.monitoring.instruments import Instruments

_BEGAN = "pencilbox_statement_began"


class SqlEvents:
    """Counts what all engines of this process do, the threads of SQLite included."""

    def __init__(self, instruments: Instruments) -> None:
        self._instruments = instruments
        self._pools: WeakSet[Pool] = WeakSet()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count while the context lasts."""
        listeners: dict[str, Callable[..., Any]] = {
            "begin": self._begun,
            "before_cursor_execute": self._statement_began,
            "after_cursor_execute": self._statement_ended,
            "commit": self._committed,
            "rollback": self._rolled_back,
            "handle_error": self._failed,
        }
        for name, listener in listeners.items():
            event.listen(Engine, name, listener)
        try:
            yield
        finally:
            for name, listener in listeners.items():
                event.remove(Engine, name, listener)

    def connections(self) -> tuple[int, int]:
        """Return how many connections are in use, and how many the pools keep."""
        pools = [pool for pool in list(self._pools) if isinstance(pool, QueuePool)]
        return sum(pool.checkedout() for pool in pools), sum(pool.size() for pool in pools)

    def _begun(self, connection: Connection) -> None:
        self._pools.add(connection.engine.pool)

    def _statement_began(self, connection: Connection, *_: Any) -> None:
        connection.info[_BEGAN] = perf_counter()

    def _statement_ended(self, connection: Connection, *_: Any) -> None:
        self._instruments.statement_seconds.observe(perf_counter() - connection.info[_BEGAN])

    def _committed(self, _: Connection) -> None:
        self._instruments.transactions.labels("commit").inc()

    def _rolled_back(self, _: Connection) -> None:
        self._instruments.transactions.labels("rollback").inc()

    def _failed(self, context: ExceptionContext) -> None:
        error = context.sqlalchemy_exception or context.original_exception
        self._instruments.sql_errors.labels(type(error).__name__).inc()
