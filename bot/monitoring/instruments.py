"""The metrics that are counted when something happens; those that are read when somebody asks are in `state`.

No label has a value that comes from outside: their number is fixed.
"""

from typing import Any

import aiohttp
import discord
from prometheus_client import CollectorRegistry, Counter, Histogram

from bot.monitoring.requests import RequestOutcome, request_trace
from bot.ui.meter import DirectOutcome, Kind, Meter, Outcome, age, kind_of

# Discord waits three seconds for the first answer, and draws attention to what takes longer than one.
FIRST_ANSWER = (0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 5)
ANSWER = (0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60)
REQUEST = (0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30)
STATEMENT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30)
LAG = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3)


class Instruments(Meter):
    """Counts in a registry of its own."""

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
            "Time by which the event loop was late, looked at several times a second.",
            LAG,
        )
        self._begin_with_zeros()
        self.requests = request_trace(self._count_request, self._count_acknowledged)

    def _begin_with_zeros(self) -> None:
        """Serve what has not happened yet as 0, so that the first time is seen as an increase."""
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
