"""The parts that all tests share: plugins, the source of chance, and the tests that `make quick` leaves out.

Hypothesis tries the same examples in every run, so that a run never fails by luck. With PENCILBOX_SEED set it tries
others; `make soak` sets it.
"""

from fnmatch import fnmatch
from pathlib import Path

import pytest
from hypothesis import settings

from tests.seeds import SEED

pytest_plugins = [
    "tests.contract.fixtures",
    "tests.db.compiled",
    "tests.db.postgres",
    "tests.sandbox.page.windows",
]

settings.register_profile("same", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("random", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("random" if SEED else "same")

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
    *("stored/test_played_on.py", "test_imports.py"),
    *(
        "rules/games/*_truths.py",
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
    *("ui/test_messages.py", "ui/moves/test_controls.py", "ui/matches/boards/test_text_board.py"),
    *("ui/kit/content/test_film_worker.py", "render/test_picture.py", "sandbox/world/test_persistence.py"),
)
"""Patterns of modules that `make quick` leaves out. Tests on PostgreSQL are left out wherever they are."""


def pytest_report_header() -> str | None:
    return f"PENCILBOX_SEED={SEED}" if SEED else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _is_slow(item):
            item.add_marker("slow")


def _is_slow(item: pytest.Item) -> bool:
    path = item.path.relative_to(TESTS)
    call = getattr(item, "callspec", None)
    return (
        any(fnmatch(path.as_posix(), slow) for slow in SLOW)
        or "postgres_server" in getattr(item, "fixturenames", ())
        or (call is not None and "postgresql" in call.params.values())
    )
