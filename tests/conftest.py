"""The parts that all tests share: plugins, the source of chance, and the tests that `make quick` leaves out.

Hypothesis tries the same examples in every run, so that a run never fails by luck. With PENCILBOX_SEED set it tries
others; `make soak` sets it.
"""

import gc
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
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
]

settings.register_profile("same", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("random", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("random" if SEED else "same")

gc.disable()  # until all tests are collected: nothing that imports and items allocate is garbage

TESTS = Path(__file__).parent
SLOW = (
    *(
        "e2e/*",
        "faults/*",
        "contract/*",
        "db/*",
        "soak/*",
        "leaks/*",
        "fuzz/test_commands.py",
        "sandbox/page/*",
        "sandbox/test_hikari.py",
    ),
    "stored/test_played_on.py",
    *(
        "rules/test_skeleton.py",
        "rules/test_hostile_lines.py",
        "rules/test_plane.py",
    ),
    *(
        "render/board/annotations/test_correction.py",
        "render/engine/test_hatch.py",
        "render/test_main.py",
        "render/test_replay.py",
    ),
    *(
        "app/computers/*",
        "search/*",
        "app/test_stateful.py",
        "app/test_proposals.py",
        "app/achievements/test_awards.py",
    ),
    *("app/matches/test_timekeeper.py", "app/members/test_privacy.py", "app/members/test_preferences.py"),
    *("ui/test_messages.py", "ui/moves/test_controls.py", "ui/matches/test_text_board.py"),
    *("ui/components/test_film_worker.py", "render/test_picture.py", "sandbox/world/test_persistence.py"),
)
"""Patterns of modules that `make quick` leaves out. Tests on PostgreSQL are left out wherever they are."""


def pytest_report_header() -> str | None:
    return f"PENCILBOX_SEED={SEED}" if SEED else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _is_slow(item):
            item.add_marker("slow")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leave what was collected out of every later garbage collection."""
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@cache
def _in_slow_module(path: Path) -> bool:
    return any(fnmatch(path.relative_to(TESTS).as_posix(), slow) for slow in SLOW)


def _is_slow(item: pytest.Item) -> bool:
    call = getattr(item, "callspec", None)
    return (
        _in_slow_module(item.path)
        or "postgres_server" in getattr(item, "fixturenames", ())
        or (call is not None and "postgresql" in call.params.values())
    )
