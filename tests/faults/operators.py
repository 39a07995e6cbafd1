"""The traces of a bot that operators see: its log lines from the level warning on, and the counters of its failures."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.app.tasks.background import is_round
from tests.e2e.bot_process import BotProcess
from tests.e2e.monitor import Pages
from tests.waiting import PATIENCE

ALARMING = ("warning", "error", "critical")
MINUTE = timedelta(minutes=1)
COUNTERS = {
    "pencilbox_discord_requests_total": "requests",
    "pencilbox_interactions_total": "interactions",
    "pencilbox_direct_messages_total": "direct messages",
    "pencilbox_background_failures_total": "background failures",
    "pencilbox_sql_errors_total": "SQL errors",
}
"""The counters that are read, by the word that stands before their label: `requests: rate limited`."""
WELL = {"ok", "answered", "refused", "sent"}
"""The labels of these that are no failures. (A refused request is one: see `_label`.)"""
_SAMPLE = re.compile(rf"^({'|'.join(COUNTERS)}){{(.*)}} ([0-9.e+]+)$", re.MULTILINE)
"""A sample of these counters. It is read hundreds of times, and the parser of all metrics takes 8 ms each time."""


class Operators:
    """Reads the log and the metrics of a bot that logs as JSON and serves metrics."""

    def __init__(self, bot: BotProcess) -> None:
        self._bot = bot
        self._pages = Pages(bot.log)
        self._before: Counter[str] = Counter()
        self._logged: dict[str, datetime] = {}
        """By event: the time of its last line about something that is not done for a member."""

    async def begin(self) -> None:
        """Forget what was until now."""
        self._bot.forget_log()
        self._before = await self._counters()

    def lines(self) -> list[Mapping[str, Any]]:
        """Return the lines of the log from the level warning on. Raises AssertionError for what is no line of JSON."""
        found = []
        for text in self._bot.log.splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                raise AssertionError(f"This is no line of the log: {text}") from None
            if line["level"] in ALARMING:
                found.append(line)
        return found

    def alarms(self) -> Counter[str]:
        """Return the events of these lines with their numbers.

        Raises AssertionError for a traceback, and if the same failure in the background is logged twice in a minute.
        """
        found: Counter[str] = Counter()
        logged: dict[tuple[str, ...], datetime] = {}
        for line in self.lines():
            assert "exception" not in line, line["exception"]
            found[line["event"]] += 1
            if _for_a_member(line):
                continue
            at = datetime.fromisoformat(line["timestamp"])
            kind = tuple(str(line.get(name)) for name in ("event", "task", "error"))
            assert kind not in logged or at - logged[kind] >= MINUTE, f"{kind} is logged twice in a minute"
            logged[kind] = self._logged[line["event"]] = at
        return found

    def lately(self, what: str) -> bool:
        """True if such a line was logged within a minute, so that another may be left out."""
        since = datetime.now(UTC) - MINUTE
        return any(event.startswith(what) and at > since for event, at in self._logged.items())

    async def failures(self) -> Counter[str]:
        """Return the counters of failures that have grown, and by how much."""
        return await self._counters() - self._before

    @asynccontextmanager
    async def ending(self, interactions: int) -> AsyncIterator[None]:
        """Wait at the end of the context until so many interactions more have ended in the bot."""
        until = await self._ended() + interactions
        yield
        async with asyncio.timeout(PATIENCE):
            while await self._ended() < until:
                await asyncio.sleep(0.02)

    async def _ended(self) -> float:
        """Return the number of interactions that have ended."""
        samples = await self._samples()
        return sum(value for name, _, value in samples if name == "pencilbox_interactions_total")

    async def _counters(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for name, labels, value in await self._samples():
            if (label := _label(name, labels)) is not None:
                found[f"{COUNTERS[name]}: {label}"] += round(value)
        return found

    async def _samples(self) -> list[tuple[str, list[str], float]]:
        """Return the samples of the counters: their names, the values of their labels by the labels' names, values."""
        found = _SAMPLE.findall(await self._pages.text())
        assert found, "no counters are served"
        return [
            (name, [value for _, value in sorted(re.findall(r'(\w+)="([^"]*)"', labels))], float(value))
            for name, labels, value in found
        ]


def _for_a_member(line: Mapping[str, Any]) -> bool:
    """True for a line of our own about what a member did: each has lines of its own."""
    ours = line["logger"].startswith(("bot.", "db."))
    return ours and "request" in line and not is_round(line["request"])


def _label(name: str, labels: list[str]) -> str | None:
    """Return the label that names a failure; None for what is none."""
    label = labels[-1]  # of interactions, whose kind comes first, the outcome
    refused_request = label == "refused" and name == "pencilbox_discord_requests_total"
    return None if label in WELL and not refused_request else label
