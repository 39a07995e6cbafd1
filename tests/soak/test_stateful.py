"""Many long runs of the state machine of tests/app/stateful."""

from pathlib import Path

import pytest

from tests.app.stateful.machine import run_machine

pytestmark = pytest.mark.soak


def test_many_long_runs(tmp_path: Path) -> None:
    run_machine(tmp_path, examples=300, steps=80)
