"""The docs explain every served metric, and the dashboard and the alerts use no other metrics."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import Metric

from bot.monitoring import subject
from bot.monitoring.state import Monitor
from bot.monitoring.subject import DatabaseProbe, Subject
from bot.pencilbox import Pencilbox
from bot.search.workers import SearchWorkers
from tests.app.conftest import Host, host
from tests.db.given import started
from tests.test_docs import first_column

__all__ = ["host"]

OPERATIONS = Path(__file__).parents[2] / "docs/operations"
DASHBOARD = OPERATIONS / "dashboard.json"
ALERTS = OPERATIONS / "alerts.yaml"
NAME = re.compile(r"\b(?:pencilbox|process|python)_[a-z_]+\b")


@pytest.fixture
async def families(host: Host, tmp_path: Path) -> list[Metric]:
    """All metrics of a bot whose parts are all there."""
    monitor = Monitor(Subject(DatabaseProbe()))
    monitor.subject.database.store = host.store.administration
    monitor.subject.search = SearchWorkers(1, 1.0)
    monitor.subject.bot = Pencilbox(host.services, tmp_path, moments_percent=5, meter=monitor.meter)
    monitor.meter.sql_errors.labels("OperationalError").inc()
    host.services.rounds.failures["clocks"] += 1
    await monitor.subject.database.refresh()
    return list(monitor.registry.collect())


def samples(families: list[Metric]) -> set[str]:
    return {sample.name for family in families for sample in family.samples}


async def test_docs_explain_all_metrics_that_are_served(families: list[Metric]) -> None:
    explained = set(filter(NAME.fullmatch, first_column("docs/operations.md")))
    names = {f"{it.name}_total" if it.type == "counter" else it.name for it in families}
    assert names == explained
    assert all(family.documentation for family in families)


async def test_pending_boards_are_reported(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Subject(DatabaseProbe())
    found.database.store = host.store.administration
    await started(host.store, at=datetime.now(UTC))
    await found.database.refresh()
    assert found.checks()["backlog"] is None
    monkeypatch.setattr(subject, "MOST_WAITING", 0)
    assert found.checks()["backlog"] == "1 boards wait to be shown, more than 0."


async def test_labels_have_few_values(families: list[Metric]) -> None:
    for family in families:
        values = {tuple(sorted(sample.labels.items())) for sample in family.samples}
        assert len(values) <= 100, family.name


async def test_dashboard_uses_served_metrics(families: list[Metric]) -> None:
    queries = list(
        chain.from_iterable(_queries(panel) for panel in json.loads(DASHBOARD.read_text())["panels"])
    )
    assert len(queries) >= 20
    for query in queries:
        named = set(NAME.findall(query))
        assert named, query
        assert named <= samples(families), query


async def test_alerts_use_served_metrics_and_are_described(families: list[Metric]) -> None:
    rules = re.split(r"^ +- alert: ", ALERTS.read_text(), flags=re.MULTILINE)[1:]
    assert len(rules) >= 8
    for rule in rules:
        named = set(NAME.findall(rule.partition("expr:")[2].partition("labels:")[0]))
        assert named <= samples(families), rule
        assert named or "up{" in rule
        assert re.search(r"^ +summary: \S+", rule, re.MULTILINE), rule
        assert re.search(r"^ +description: \S+", rule, re.MULTILINE), rule


def _queries(panel: dict[str, Any]) -> Iterator[str]:
    for target in panel.get("targets", ()):
        yield target["expr"]
    for inner in panel.get("panels", ()):
        yield from _queries(inner)
