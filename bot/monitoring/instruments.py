"""The metrics that are counted when something happens; `state` has those that are read on request.

No label has a value that comes from outside, so the number of labels is fixed.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from time import perf_counter
from types import SimpleNamespace
from typing import Any
from weakref import WeakSet

import aiohttp
import discord
from prometheus_client import CollectorRegistry, Counter, Histogram
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import Pool, QueuePool

from bot.ui.posts.answers import DirectOutcome, Kind, Meter, Outcome, age, kind_of

_FIRST_ANSWER = re.compile(r"/api/v[0-9]+/interactions/([0-9]+)/[^/]+/callback")


class RequestOutcome(StrEnum):
    """The outcome of a request."""

    OK = "ok"
    RATE_LIMITED = "rate limited"
    REFUSED = "refused"
    """A status from 400 to 499 other than 429."""
    FAILED = "failed"
    """A status from 500 on."""
    UNREACHABLE = "unreachable"
    """No response arrived."""


def outcome_of(status: int) -> RequestOutcome:
    if status < 400:
        return RequestOutcome.OK
    if status == 429:
        return RequestOutcome.RATE_LIMITED
    return RequestOutcome.REFUSED if status < 500 else RequestOutcome.FAILED


def request_trace(
    ended: Callable[[RequestOutcome, float], None], acknowledged: Callable[[int], None]
) -> aiohttp.TraceConfig:
    """Return a trace that reports the outcome and duration of each request, and each acknowledged interaction."""

    async def start(_: object, context: SimpleNamespace, __: aiohttp.TraceRequestStartParams) -> None:
        context.began = perf_counter()

    async def end(_: object, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        path, outcome = params.url.path, outcome_of(params.response.status)
        if not path.startswith("/api/"):
            return  # the gateway
        ended(outcome, perf_counter() - context.began)
        answered = _FIRST_ANSWER.fullmatch(path)
        if answered is not None and outcome is RequestOutcome.OK:
            acknowledged(int(answered[1]))

    async def fail(_: object, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams) -> None:
        if params.url.path.startswith("/api/"):
            ended(RequestOutcome.UNREACHABLE, perf_counter() - context.began)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(start)
    trace.on_request_end.append(end)
    trace.on_request_exception.append(fail)
    return trace


# Discord waits three seconds for the first response, and shows a hint after one second.
FIRST_ANSWER = (0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 5)
ANSWER = (0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60)
REQUEST = (0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30)
STATEMENT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30)
LAG = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3)


class Instruments(Meter):
    """The counters and histograms of a process, in their own registry."""

    requests: aiohttp.TraceConfig

    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(name, meaning, labels, registry=registry)

        def histogram(name: str, meaning: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
            return Histogram(name, meaning, labels, buckets=buckets, registry=registry)

        self._interactions = counter(
            "pencilbox_interactions", "Interactions that have ended, by kind and outcome.", "kind", "outcome"
        )
        self._answered = histogram(
            "pencilbox_interaction_answer_seconds",
            "Time from an interaction's creation by Discord to the end of its answer, by kind.",
            ANSWER,
            "kind",
        )
        self._acknowledged = histogram(
            "pencilbox_interaction_acknowledge_seconds",
            "Time from an interaction's creation by Discord to Discord's receipt of the first answer.",
            FIRST_ANSWER,
        )
        self._requests = counter(
            "pencilbox_discord_requests", "REST requests to Discord, by outcome; each try counts.", "outcome"
        )
        self._direct_messages = counter(
            "pencilbox_direct_messages", "Attempts to send a direct message, by outcome.", "outcome"
        )
        self._request_seconds = histogram(
            "pencilbox_discord_request_seconds", "Time that Discord took to answer a REST request.", REQUEST
        )
        self.statement_seconds = histogram(
            "pencilbox_sql_statement_seconds",
            "Time of an SQL statement, as the bot sees it; the count is that of the statements.",
            STATEMENT,
        )
        self.transactions = counter(
            "pencilbox_sql_transactions", "SQL transactions that have ended, by how.", "end"
        )
        self.sql_errors = counter(
            "pencilbox_sql_errors",
            "SQL statements and connections that failed, by kind of error.",
            "error",
        )
        self.lag = histogram(
            "pencilbox_event_loop_lag_seconds",
            "Time by which the event loop was late, measured several times a second.",
            LAG,
        )
        self._begin_with_zeros()
        self.requests = request_trace(self._count_request, self._count_acknowledged)

    def _begin_with_zeros(self) -> None:
        """Create all labels with the value 0, so that the first event counts as an increase."""
        for kind in Kind:
            self._answered.labels(kind)
            for outcome in Outcome:
                self._interactions.labels(kind, outcome)
        for result in RequestOutcome:
            self._requests.labels(result)
        for sending in DirectOutcome:
            self._direct_messages.labels(sending)
        for end in ("commit", "rollback"):
            self.transactions.labels(end)

    def interaction_ended(self, interaction: discord.Interaction[Any], outcome: Outcome) -> None:
        kind = kind_of(interaction)
        self._interactions.labels(kind, outcome).inc()
        if outcome is not Outcome.LATE:
            self._answered.labels(kind).observe(age(interaction.id))

    def direct_message(self, outcome: DirectOutcome) -> None:
        self._direct_messages.labels(outcome).inc()

    def _count_request(self, outcome: RequestOutcome, seconds: float) -> None:
        self._requests.labels(outcome).inc()
        self._request_seconds.observe(seconds)

    def _count_acknowledged(self, interaction: int) -> None:
        self._acknowledged.observe(age(interaction))


_BEGAN = "pencilbox_statement_began"


class SqlEvents:
    """Counts the activity of all engines of this process, including the threads of SQLite."""

    def __init__(self, instruments: Instruments) -> None:
        self._instruments = instruments
        self._pools: WeakSet[Pool] = WeakSet()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count as long as the context is open."""
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
        """Return the number of connections in use, and the total size of the pools."""
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
