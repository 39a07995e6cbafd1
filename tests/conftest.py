"""The parts that all tests share: plugins, the source of chance, and the tests that `make quick` leaves out.

Hypothesis tries the same examples in every run, so that a run never fails by luck. With PENCILBOX_SEED set it tries
others; `make soak` sets it.
"""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.seeds import SEED

pytest_plugins = [
    "tests.contract.fixtures",
    "tests.db.compiled",
    "tests.db.postgres",
    "tests.sandbox.page.windows",
    "tests.time_limit",
    "tests.workers",
]

settings.register_profile("same", derandomize=True, deadline=None, print_blob=True, max_examples=30)
settings.register_profile("random", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("random" if SEED else "same")

gc.disable()  # until all tests are collected: nothing that imports and items allocate is garbage

TESTS = Path(__file__).parent
SLOW_FOLDERS = (
    *("app/moments", "app/review", "db", "e2e", "faults", "fuzz", "leaks", "operators", "sandbox/page"),
    *("soak", "startup", "ui/puzzles"),
)
"""Folders whose tests `make quick` leaves out: they start a bot, a process, a browser or a database, or search long.

Tests on PostgreSQL are left out wherever they are. Other slow tests are marked where they are defined.
"""


def pytest_report_header() -> str | None:
    return f"PENCILBOX_SEED={SEED}" if SEED else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folders, stores = (
        tuple(f"{TESTS.name}/{folder}/" for folder in names) for names in (SLOW_FOLDERS, ("db", "operators"))
    )
    for item in items:
        if item.nodeid.startswith(folders) or _needs_postgres(item):
            item.add_marker("slow")
        if item.nodeid.startswith(stores) and _on_other_database(item):
            item.add_marker("soak")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leave what was collected out of every later garbage collection."""
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _needs_postgres(item: pytest.Item) -> bool:
    call = getattr(item, "callspec", None)
    return "postgres_server" in getattr(item, "fixturenames", ()) or (
        call is not None and "postgresql" in call.params.values()
    )


def _on_other_database(item: pytest.Item) -> bool:
    """True if a test of the store runs on the database on which it is only in `make soak`."""
    call = getattr(item, "callspec", None)
    if call is None or "database" not in call.params or item.get_closest_marker("both_databases"):
        return False
    first = "postgresql" if item.get_closest_marker("on_postgresql") else "sqlite"
    return bool(call.params["database"] != first)
