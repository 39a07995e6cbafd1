"""Members do anything in any order: every match stays one consistent record, and nobody loses a result."""

from pathlib import Path

from tests.app.stateful.machine import run_machine
from tests.seeds import SHARE


def test_whatever_members_do(tmp_path: Path) -> None:
    run_machine(tmp_path, examples=round(20 * SHARE), steps=25)
