"""Members do anything in any order: every match stays one consistent record, and nobody loses a result."""

from pathlib import Path

import pytest

from tests.app.stateful.machine import run_machine
from tests.seeds import SHARE

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("examples", "steps"), [(round(20 * SHARE), 30), pytest.param(300, 80, marks=pytest.mark.soak)]
)
def test_whatever_members_do(tmp_path: Path, examples: int, steps: int) -> None:
    run_machine(tmp_path, examples, steps)
