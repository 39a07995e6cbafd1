"""Each fault is injected once while a game runs: no move is lost, doubled or unseen. `python -m tests.faults` does it
more often and writes the page."""

import os
from pathlib import Path

import pytest

from tests.contract.checker import Contract
from tests.db.postgres import MISSING
from tests.faults.catalogue import START_FAULTS
from tests.faults.stages import STAGES, inject, stage

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", STAGES)
async def test_games_go_on_whatever_fails(contract: Contract, tmp_path: Path, name: str) -> None:
    async with stage(name, contract, tmp_path) as set_up:
        if set_up is None:
            assert not os.environ.get("CI"), MISSING
            pytest.skip(MISSING)  # PostgreSQL cannot be installed without the system's rights
        scene, faults = set_up
        counts = await inject(scene, [fault for fault in faults if not fault.long])
        assert {fault.name: count for fault, count in counts.items() if count.harm} == {}


@pytest.mark.parametrize("test", [fault.test for fault in START_FAULTS])
def test_faults_at_a_start_have_tests(test: str) -> None:
    file, name = test.split("::")
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
